// Sums and maxima over the THREADS invocations of a workgroup, as a binary tree, so that the order is fixed.
// Every invocation of the workgroup must call them.

var<workgroup> tree: array<f32, THREADS>;

fn sum_over_workgroup(value: f32, invocation: u32) -> f32 {
  workgroupBarrier();
  tree[invocation] = value;
  for (var stride = THREADS / 2u; stride > 0u; stride /= 2u) {
    workgroupBarrier();
    if (invocation < stride) {
      tree[invocation] += tree[invocation + stride];
    }
  }
  workgroupBarrier();
  return tree[0];
}

fn max_over_workgroup(value: f32, invocation: u32) -> f32 {
  workgroupBarrier();
  tree[invocation] = value;
  for (var stride = THREADS / 2u; stride > 0u; stride /= 2u) {
    workgroupBarrier();
    if (invocation < stride) {
      tree[invocation] = max(tree[invocation], tree[invocation + stride]);
    }
  }
  workgroupBarrier();
  return tree[0];
}
