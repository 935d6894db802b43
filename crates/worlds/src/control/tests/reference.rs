//! One step of each world in f64, with the formulas and constants transcribed from Gymnasium's source. The
//! order of the state and the names are Gymnasium's.

use std::f64::consts::{PI, TAU};

/// The result of a step.
pub struct Reference {
    pub state: Vec<f64>,
    pub observation: Vec<f64>,
    pub reward: f64,
    pub terminated: bool,
}

pub fn cartpole(state: &[f64], action: f64) -> Reference {
    let [x, x_dot, theta, theta_dot] = state.try_into().unwrap();
    let force = if action == 1.0 { 10.0 } else { -10.0 };
    let (sin, cos) = (theta.sin(), theta.cos());
    let temp = (force + 0.05 * theta_dot.powi(2) * sin) / 1.1;
    let theta_acc = (9.8 * sin - cos * temp) / (0.5 * (4.0 / 3.0 - 0.1 * cos.powi(2) / 1.1));
    let x_acc = temp - 0.05 * theta_acc * cos / 1.1;
    let state =
        vec![x + 0.02 * x_dot, x_dot + 0.02 * x_acc, theta + 0.02 * theta_dot, theta_dot + 0.02 * theta_acc];
    let terminated = state[0].abs() > 2.4 || state[2].abs() > 12.0 * 2.0 * PI / 360.0;
    Reference { observation: state.clone(), state, reward: 1.0, terminated }
}

pub fn mountain_car(state: &[f64], action: f64) -> Reference {
    let [position, velocity] = state.try_into().unwrap();
    let velocity = velocity + (action - 1.0) * 0.001 + (3.0 * position).cos() * -0.0025;
    let velocity = velocity.clamp(-0.07, 0.07);
    let position = (position + velocity).clamp(-1.2, 0.6);
    let velocity = if position == -1.2 && velocity < 0.0 { 0.0 } else { velocity };
    let terminated = position >= 0.5 && velocity >= 0.0;
    let state = vec![position, velocity];
    Reference { observation: state.clone(), state, reward: -1.0, terminated }
}

pub fn pendulum(state: &[f64], action: f64) -> Reference {
    let [angle, speed] = state.try_into().unwrap();
    let torque = action.clamp(-2.0, 2.0);
    let angle_error = (angle + PI).rem_euclid(TAU) - PI;
    let cost = angle_error.powi(2) + 0.1 * speed.powi(2) + 0.001 * torque.powi(2);
    let speed = speed + (3.0 * 10.0 / 2.0 * angle.sin() + 3.0 * torque) * 0.05;
    let speed = speed.clamp(-8.0, 8.0);
    let angle = angle + speed * 0.05;
    Reference {
        state: vec![angle, speed],
        observation: vec![angle.cos(), angle.sin(), speed],
        reward: -cost,
        terminated: false,
    }
}

pub fn acrobot(state: &[f64], action: f64) -> Reference {
    let torque = action - 1.0;
    let slopes = |s: [f64; 4]| {
        let [a, b, da, db] = s;
        let d1 = 0.25 + (1.0 + 0.25 + 2.0 * 0.5 * b.cos()) + 1.0 + 1.0;
        let d2 = (0.25 + 0.5 * b.cos()) + 1.0;
        let phi2 = 0.5 * 9.8 * (a + b - PI / 2.0).cos();
        let phi1 = -0.5 * db.powi(2) * b.sin() - db * da * b.sin() + 1.5 * 9.8 * (a - PI / 2.0).cos() + phi2;
        let ddb =
            (torque + d2 / d1 * phi1 - 0.5 * da.powi(2) * b.sin() - phi2) / (0.25 + 1.0 - d2.powi(2) / d1);
        let dda = -(d2 * ddb + phi1) / d1;
        [da, db, dda, ddb]
    };
    let start: [f64; 4] = state.try_into().unwrap();
    let ahead = |k: [f64; 4], dt: f64| std::array::from_fn(|i| start[i] + dt * k[i]);
    let k1 = slopes(start);
    let k2 = slopes(ahead(k1, 0.1));
    let k3 = slopes(ahead(k2, 0.1));
    let k4 = slopes(ahead(k3, 0.2));
    let end: [f64; 4] =
        std::array::from_fn(|i| start[i] + 0.2 / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    let wrap = |mut x: f64| {
        while x > PI {
            x -= TAU;
        }
        while x < -PI {
            x += TAU;
        }
        x
    };
    let [a, b] = [wrap(end[0]), wrap(end[1])];
    let [da, db] = [end[2].clamp(-4.0 * PI, 4.0 * PI), end[3].clamp(-9.0 * PI, 9.0 * PI)];
    let terminated = -a.cos() - (a + b).cos() > 1.0;
    Reference {
        state: vec![a, b, da, db],
        observation: vec![a.cos(), a.sin(), b.cos(), b.sin(), da, db],
        reward: if terminated { 0.0 } else { -1.0 },
        terminated,
    }
}
