//! The bundle for `npm run bench`: every lab and the benches. Users never load it.

fn main() {
    learnery_web::labs::register(learnery_labs::LABS);
}
