//! The bundle (WebAssembly program) for `npm run bench`: every lab and the benches. The page never loads it.

/// Runs when the program has been loaded.
fn main() {
    learnery_web::labs::register(learnery_labs::LABS);
}
