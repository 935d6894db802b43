//! Steps of a batch: runs the vector code block by block, looks for faults and ends, and begins the next
//! episodes.

use learnery_kernels::simd::{Op, Simd, dispatch, load_padded, load_words, math, store_partial};

use super::{Ends, Source, Worlds, place_of};
use crate::code::{Counters, Draws, LANES, Line, run};
use crate::limits::LARGEST;

/// Bits of the lanes of a line.
const ALL: u32 = (1 << LANES) - 1;

impl Worlds {
    /// Steps every world, with one action for each.
    ///
    /// Shapes: `actions [worlds, numbers of an action]`.
    pub fn step(&mut self, actions: &[f32]) {
        struct StepAll<'a>(&'a mut Worlds, &'a [f32]);
        impl Op for StepAll<'_> {
            type Output = ();
            #[inline(always)]
            fn run<S: Simd>(self, s: S) {
                self.0.step_blocks(s, self.1);
            }
        }
        let numbers = self.world.spec().actions.count();
        assert_eq!(actions.len(), self.count * numbers, "one action for each world");
        self.now = self.now.wrapping_add(1);
        self.clear_ended();
        dispatch(StepAll(self, actions));
        self.begin_ended();
    }

    #[inline(always)]
    fn step_blocks<S: Simd>(&mut self, s: S, actions: &[f32]) {
        let (states, computed, lines) = (self.states(), self.computed_count, self.lines);
        let world = &self.world;
        let numbers = world.spec().actions.count();
        let limit = world.spec().limit;
        // The registers in which the program leaves its outputs: next state, reward, failed, succeeded,
        // observations.
        let outputs = &world.step.outputs;
        let reward = outputs[states];
        // Ends and faults that never happen need no look.
        let never = &world.step.never;
        let failed = (!never[states + 1]).then(|| outputs[states + 1]);
        let succeeded = (!never[states + 2]).then(|| outputs[states + 2]);
        let observed: Vec<u16> = self
            .sources
            .iter()
            .zip(&outputs[states + 3..])
            .filter(|(source, _)| matches!(source, Source::Computed(_)))
            .map(|(_, register)| *register)
            .collect();
        let mut any_fault = false;
        let registers = &mut self.step_registers;
        for block in 0..self.counters.len() / lines {
            let first = block * lines;
            let state = &mut self.state[first * states..(first + lines) * states];
            let seen = &mut self.computed[first * computed..(first + lines) * computed];
            registers[..state.len()].copy_from_slice(state);
            let action = &mut registers[state.len()..][..numbers * lines];
            load_actions(action, actions, first * LANES, lines, |i| world.spec().actions.bounds(i));
            let counters = &self.counters[first..first + lines];
            let draws = Draws { stream: self.stream, counters, now: self.now };
            run(&world.step, registers, lines, &draws);
            for k in 0..lines {
                let line = first + k;
                let number = |register: u16| &registers[usize::from(register) * lines + k].0;
                let checked = outputs[..=states].iter().chain(&observed).copied();
                let mut bits = LineBits::default();
                for at in (0..LANES).step_by(S::LANES) {
                    let is_true = |register: Option<u16>| {
                        let Some(register) = register else { return 0 };
                        s.mask_bits(
                            s.lt(s.splat(0.0), load_padded(s, &number(register)[at..at + S::LANES], 0.0)),
                        )
                    };
                    bits.failed |= is_true(failed) << at;
                    bits.succeeded |= is_true(succeeded) << at;
                    bits.faulted |= is_true(world.step.fault) << at;
                    // The sum is out of range, or no number, if one of the numbers is.
                    let mut sum = s.splat(0.0);
                    for register in checked.clone() {
                        let x = load_padded(s, &number(register)[at..at + S::LANES], 0.0);
                        sum = s.add(sum, math::abs(s, x));
                    }
                    bits.in_range |= s.mask_bits(s.lt(sum, s.splat(LARGEST))) << at;
                    if let Some(limit) = limit {
                        let begun = load_words(s, &self.counters[line].begun[at..at + S::LANES]);
                        let steps = s.sub_u(s.splat_u(self.now), begun);
                        bits.expired |= s.mask_bits(s.eq_u(steps, s.splat_u(limit))) << at;
                    }
                    let x = load_padded(s, &number(reward)[at..at + S::LANES], 0.0);
                    store_partial(s, &mut self.rewards[line].0[at..at + S::LANES], x);
                }
                let mut faulted = bits.faulted | u32::from(self.broken[line]);
                if bits.in_range != ALL {
                    for lane in 0..LANES {
                        let is_bad = |register: u16| !in_range(number(register)[lane]);
                        faulted |= u32::from(checked.clone().any(is_bad)) << lane;
                    }
                }
                self.broken[line] = 0;
                for (i, register) in outputs[..states].iter().enumerate() {
                    keep(&mut state[i * lines + k], number(*register), faulted);
                }
                for (i, register) in observed.iter().enumerate() {
                    keep(&mut seen[i * lines + k], number(*register), faulted);
                }
                if faulted != 0 {
                    any_fault = true;
                    keep_faulted(&mut self.rewards[line], faulted);
                }
                let failed = bits.failed | faulted;
                let succeeded = bits.succeeded & !failed;
                let truncated = bits.expired & !failed & !succeeded;
                self.ends[line] = Ends {
                    failed: failed as u16,
                    succeeded: succeeded as u16,
                    truncated: truncated as u16,
                    faulted: faulted as u16,
                };
                let mut ended = failed | succeeded | truncated;
                while ended != 0 {
                    let i = line * LANES + ended.trailing_zeros() as usize;
                    ended &= ended - 1;
                    // The last line may have more lanes than there are worlds.
                    self.ended.push(i as u32);
                }
            }
        }
        if any_fault {
            let is_world = |i: &&u32| (**i as usize) < self.count;
            let action = |i: &u32| actions[*i as usize * numbers..(*i as usize + 1) * numbers].to_vec();
            self.fault_actions = self.ended.iter().filter(is_world).map(action).collect();
        }
    }

    /// Keeps the final states, final observations and lengths of the episodes that have ended, and begins the
    /// next ones.
    fn begin_ended(&mut self) {
        let ended = std::mem::take(&mut self.ended);
        let states = self.states();
        for i in &ended {
            let (line, lane) = (*i as usize / LANES, *i as usize % LANES);
            let counters = &mut self.counters[line];
            self.lengths.push(self.now.wrapping_sub(counters.begun[lane]));
            counters.episode[lane] = counters.episode[lane].wrapping_add(1);
            let place = place_of(line, states, self.lines);
            let state = (0..states).map(|k| self.state[place + k * self.lines].0[lane]);
            self.final_states.extend(state);
            let Self { sources, final_observations, .. } = self;
            let place_computed = place_of(line, self.computed_count, self.lines);
            final_observations.extend(sources.iter().map(|source| match source {
                Source::State(k) => self.state[place + k * self.lines].0[lane],
                Source::Computed(k) => self.computed[place_computed + k * self.lines].0[lane],
            }));
        }
        self.begin(&ended);
        self.ended = ended;
        // Worlds beyond the last one are at the end.
        let count = self.ended.partition_point(|i| (*i as usize) < self.count);
        self.ended.truncate(count);
        self.lengths.truncate(count);
    }

    /// Starts the present episodes of these worlds, sixteen at a time.
    pub(super) fn begin(&mut self, worlds: &[u32]) {
        let states = self.states();
        let outputs = self.world.begin.outputs.clone();
        let fault = self.world.begin.fault;
        let mut registers = std::mem::take(&mut self.begin_registers);
        let mut numbers = vec![0.0; outputs.len()];
        for worlds in worlds.chunks(LANES) {
            // No step has been made, so the present time is that of the beginning.
            let mut counters =
                Counters { index: [[0; LANES]; 2], episode: [0; LANES], begun: [self.now; LANES] };
            for (lane, i) in worlds.iter().enumerate() {
                let from = &mut self.counters[*i as usize / LANES];
                let from_lane = *i as usize % LANES;
                from.begun[from_lane] = self.now;
                counters.index[0][lane] = from.index[0][from_lane];
                counters.index[1][lane] = from.index[1][from_lane];
                counters.episode[lane] = from.episode[from_lane];
            }
            let draws = Draws { stream: self.stream, counters: &[counters], now: self.now };
            run(&self.world.begin, &mut registers, 1, &draws);
            for (lane, i) in worlds.iter().enumerate() {
                let (line, bit) = (*i as usize / LANES, 1 << (*i as usize % LANES));
                for (number, register) in numbers.iter_mut().zip(&outputs) {
                    *number = registers[usize::from(*register)].0[lane];
                }
                let is_broken = fault.is_some_and(|fault| registers[usize::from(fault)].0[lane] > 0.0)
                    || numbers.iter().any(|x| !in_range(*x));
                if is_broken {
                    numbers.fill(0.0);
                }
                self.broken[line] =
                    if is_broken { self.broken[line] | bit } else { self.broken[line] & !bit };
                self.put(*i as usize, &numbers[..states], &numbers[states..]);
            }
        }
        self.begin_registers = registers;
    }
}

/// One bit for each lane of a line.
#[derive(Default)]
struct LineBits {
    failed: u32,
    succeeded: u32,
    faulted: u32,
    in_range: u32,
    expired: u32,
}

fn in_range(x: f32) -> bool {
    x.abs() <= LARGEST
}

/// Copies the actions of the worlds from `first` on to registers of `lines` lines, within their bounds.
#[inline(always)]
fn load_actions(
    registers: &mut [Line],
    actions: &[f32],
    first: usize,
    lines: usize,
    bounds: impl Fn(usize) -> (f32, f32),
) {
    let numbers = registers.len() / lines;
    for (i, register) in registers.chunks_exact_mut(lines).enumerate() {
        let (low, high) = bounds(i);
        for (k, line) in register.iter_mut().enumerate() {
            let from = ((first + k * LANES) * numbers).min(actions.len());
            // What is no number stays, and becomes a fault if it is used.
            let clip = |x: f32| {
                let x = if low > x { low } else { x };
                if high < x { high } else { x }
            };
            // An action of one number, the usual case, is copied without strides.
            if numbers == 1 {
                let from = &actions[from..(from + LANES).min(actions.len())];
                if let Ok(from) = <&[f32; LANES]>::try_from(from) {
                    line.0 = from.map(clip);
                } else {
                    // Worlds beyond the last one.
                    line.0 = [clip(0.0); LANES];
                    line.0.iter_mut().zip(from).for_each(|(x, action)| *x = clip(*action));
                }
            } else {
                line.0 = [clip(0.0); LANES];
                let from = actions[from..].iter().skip(i).step_by(numbers);
                line.0.iter_mut().zip(from).for_each(|(x, action)| *x = clip(*action));
            }
        }
    }
}

/// Copies a line, but not its lanes with a fault.
#[inline(always)]
fn keep(to: &mut Line, from: &[f32; LANES], faulted: u32) {
    if faulted == 0 {
        to.0 = *from;
        return;
    }
    for (lane, (to, from)) in to.0.iter_mut().zip(from).enumerate() {
        if faulted >> lane & 1 == 0 {
            *to = *from;
        }
    }
}

/// The reward of a step with a fault is zero.
fn keep_faulted(rewards: &mut Line, faulted: u32) {
    for (lane, reward) in rewards.0.iter_mut().enumerate() {
        if faulted >> lane & 1 == 1 {
            *reward = 0.0;
        }
    }
}
