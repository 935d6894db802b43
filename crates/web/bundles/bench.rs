//! The bundle that `npm run bench` measures: every lab, and the benches, which no visitor loads.

fn main() {
    learnery_web::labs::hold(learnery_labs::LABS);
}
