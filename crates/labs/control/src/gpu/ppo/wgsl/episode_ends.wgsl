// Whether all episodes of a workgroup have ended.

// After this many steps a workgroup asks, which takes three barriers.
const STEPS_PER_CHECK = 8u;

var<workgroup> row_has_ended: array<u32, ROWS>;
var<workgroup> is_over: u32;

// `has_ended` is 1 if the episode of this invocation has ended. Every invocation of the workgroup must call this.
fn all_have_ended(index: u32, has_ended: u32) -> bool {
  if (index < ROWS) {
    row_has_ended[index] = has_ended;
  }
  workgroupBarrier();
  if (index == 0u) {
    var all_ended = 1u;
    for (var row = 0u; row < ROWS; row++) {
      all_ended &= row_has_ended[row];
    }
    is_over = all_ended;
  }
  return workgroupUniformLoad(&is_over) == 1u;
}
