// Decides whether value iteration copies its target network before this update. One invocation.

#include sampling
#include value_iteration

@group(0) @binding(1) var<storage, read> sampling: SamplingParameters;
@group(0) @binding(2) var<storage, read_write> progress: ValueIteration;

@compute @workgroup_size(1)
fn main() {
  let fits = progress.mean_loss >= 0.0 && progress.mean_loss < sampling.copy_below;
  let is_due = progress.age >= sampling.latest || (progress.age >= sampling.earliest && fits);
  progress.copies = select(0u, 1u, is_due);
  if (is_due) {
    progress.age = 0u;
    progress.mean_loss = -1.0;
  }
}
