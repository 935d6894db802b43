//! The slow reference: one world at a time, one operation at a time, straight from the graph. The vector code
//! gives the same bits. It also says which line a fault comes from, and draws pictures.

use learnery_kernels::rng::{Stream, to_unit};

use crate::draws::{normal_block, sub_index, uniform_block};
use crate::frame::{Form, Frame, Shape};
use crate::graph::{Binary, Graph, Id, Op, Ternary, apply};
use crate::limits::LARGEST;
use crate::world::{Drawing, Fault, FormKind, SiteKind, World};

/// Which random numbers a step draws: those of a world, an episode and a step. Step 0 is the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    pub stream: Stream,
    pub world: u64,
    pub episode: u32,
    pub step: u32,
}

/// The beginning of an episode.
#[derive(Clone, Debug, PartialEq)]
pub struct Begun {
    pub state: Vec<f32>,
    pub observation: Vec<f32>,
    /// If there is one, all numbers are zero, and the first step fails.
    pub fault: Option<Fault>,
}

/// A step. After a fault, state and observation are those before the step, and the reward is zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Stepped {
    pub state: Vec<f32>,
    pub observation: Vec<f32>,
    pub reward: f32,
    /// Failures include faults.
    pub failed: bool,
    pub succeeded: bool,
    pub fault: Option<Fault>,
}

/// What there is to know about a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Looked {
    pub observation: Vec<f32>,
    pub failed: bool,
    pub succeeded: bool,
    pub fault: Option<Fault>,
}

/// What a program is given.
struct Inputs<'a> {
    parameters: &'a [f32],
    state: &'a [f32],
    action: &'a [f32],
    moment: Option<Moment>,
}

/// A number, and the site of the fault that has reached it.
type Traced = (f32, Option<u16>);

impl World {
    /// The state and observation at the beginning of an episode.
    pub fn begin(&self, parameters: &[f32], moment: Moment) -> Begun {
        let inputs = Inputs { parameters, state: &[], action: &[], moment: Some(moment) };
        let (numbers, fault) = self.evaluate(&self.programs.begin, &inputs);
        let n = self.spec().state.len();
        let fault = fault.or_else(|| self.out_of_range(&numbers[..n], None, &numbers[n..]));
        let (mut state, mut observation) = (numbers[..n].to_vec(), numbers[n..].to_vec());
        if fault.is_some() {
            state.fill(0.0);
            observation.fill(0.0);
        }
        Begun { state, observation, fault }
    }

    /// One step from any state. `observation` is the one before the step.
    pub fn step(
        &self,
        parameters: &[f32],
        state: &[f32],
        observation: &[f32],
        action: &[f32],
        moment: Moment,
    ) -> Stepped {
        let actions = &self.spec().actions;
        let clip = |(i, x): (usize, &f32)| {
            let (low, high) = actions.bounds(i);
            // As vectors do it: what is no number stays.
            let x = if low > *x { low } else { *x };
            if high < x { high } else { x }
        };
        let action: Vec<f32> = action.iter().enumerate().map(clip).collect();
        let inputs = Inputs { parameters, state, action: &action, moment: Some(moment) };
        let (numbers, fault) = self.evaluate(&self.programs.step, &inputs);
        let n = state.len();
        let (next, rest) = numbers.split_at(n);
        let &[reward, failed, succeeded, ref seen @ ..] = rest else { unreachable!("outputs of a step") };
        let fault = fault.or_else(|| self.out_of_range(next, Some(reward), seen));
        if fault.is_some() {
            return Stepped {
                state: state.to_vec(),
                observation: observation.to_vec(),
                reward: 0.0,
                failed: true,
                succeeded: false,
                fault,
            };
        }
        Stepped {
            state: next.to_vec(),
            observation: seen.to_vec(),
            reward,
            failed: failed > 0.0,
            succeeded: succeeded > 0.0 && failed == 0.0,
            fault,
        }
    }

    /// Observation and ends of a state.
    pub fn look(&self, parameters: &[f32], state: &[f32]) -> Looked {
        let inputs = Inputs { parameters, state, action: &[], moment: None };
        let (numbers, fault) = self.evaluate(&self.programs.state, &inputs);
        let fault = fault.or_else(|| self.out_of_range(state, None, &numbers[2..]));
        let observation = numbers[2..].to_vec();
        Looked { observation, failed: numbers[0] > 0.0, succeeded: numbers[1] > 0.0, fault }
    }

    /// The observation of a state; `None` if there is a fault.
    pub fn observe(&self, parameters: &[f32], state: &[f32]) -> Option<Vec<f32>> {
        let inputs = Inputs { parameters, state, action: &[], moment: None };
        let (observation, fault) = self.evaluate(&self.programs.state[2..], &inputs);
        let fault = fault.or_else(|| self.out_of_range(state, None, &observation));
        fault.is_none().then_some(observation)
    }

    /// The picture of a state and of the action that led to it.
    pub fn picture(&self, parameters: &[f32], state: &[f32], action: &[f32]) -> Frame {
        let inputs = Inputs { parameters, state, action, moment: None };
        let live = self.graph.live(self.programs.picture.iter().copied());
        let values = values(&self.graph, &live, &inputs);
        let mut rest = self.programs.picture.iter();
        let mut shapes = Vec::new();
        for drawing in &self.programs.drawings {
            let count = drawing.numbers + usize::from(drawing.has_width) + usize::from(drawing.has_condition);
            let traced: Vec<Traced> = rest.by_ref().take(count).map(|id| values[id.index()]).collect();
            let is_known = traced.iter().all(|(x, fault)| x.abs() <= LARGEST && fault.is_none());
            let numbers: Vec<f32> = traced.into_iter().map(|(x, _)| x).collect();
            if is_known && !(drawing.has_condition && numbers.last() == Some(&0.0)) {
                shapes.push(shape(drawing, &numbers));
            }
        }
        Frame { camera: self.programs.camera, shapes }
    }

    /// The outputs, and the first fault that reached one of them.
    fn evaluate(&self, outputs: &[Id], inputs: &Inputs<'_>) -> (Vec<f32>, Option<Fault>) {
        let live = self.graph.live(outputs.iter().copied());
        let values = values(&self.graph, &live, inputs);
        let traced = outputs.iter().map(|id| values[id.index()]);
        let fault = traced.clone().filter_map(|(_, fault)| fault).min();
        let fault = fault.map(|site| {
            let site = &self.sites[usize::from(site)];
            Fault { kind: site.kind.clone(), line: site.line }
        });
        (traced.map(|(x, _)| x).collect(), fault)
    }

    fn out_of_range(&self, state: &[f32], reward: Option<f32>, observation: &[f32]) -> Option<Fault> {
        let is_bad = |x: &f32| x.is_nan() || x.abs() > LARGEST;
        let fault = |is_kind: &dyn Fn(&SiteKind) -> bool, kind: SiteKind| {
            let site = self.sites.iter().find(|site| is_kind(&site.kind));
            Some(Fault { kind, line: site.map_or(0, |site| site.line) })
        };
        if let Some(i) = state.iter().position(is_bad) {
            let name = &self.spec().state[i];
            // Elements of a vector have their number behind its name.
            let variable = name.split('[').next().unwrap_or(name).to_owned();
            let kind = SiteKind::StateOutOfRange(variable);
            return fault(&|other| *other == kind, kind.clone());
        }
        if reward.is_some_and(|x| is_bad(&x)) {
            return fault(&|kind| *kind == SiteKind::RewardOutOfRange, SiteKind::RewardOutOfRange);
        }
        if observation.iter().any(is_bad) {
            let kind = SiteKind::ObservationOutOfRange;
            return fault(&|other| *other == SiteKind::ObservationOutOfRange, kind);
        }
        None
    }
}

/// The values of nodes, by their index.
fn values(graph: &Graph, live: &[Id], inputs: &Inputs<'_>) -> Vec<Traced> {
    let mut values: Vec<Traced> = vec![(0.0, None); graph.len()];
    for id in live {
        let op = graph.op(*id);
        values[id.index()] = match op {
            Op::Constant(bits) => (f32::from_bits(bits), None),
            Op::Parameter(i) => (inputs.parameters[usize::from(i)], None),
            Op::State(i) => (inputs.state[usize::from(i)], None),
            // There is no action before the first step.
            Op::Action(i) => (inputs.action.get(usize::from(i)).copied().unwrap_or(0.0), None),
            Op::Uniform(i) => (inputs.moment.map_or(0.0, |moment| moment.uniform(i)), None),
            Op::Normal(i) => (inputs.moment.map_or(0.0, |moment| moment.normal(i)), None),
            Op::Lookup(table, index) => {
                let table = &graph.tables()[usize::from(table)];
                let (index, fault) = values[index.index()];
                // The conversion is 0 for negative numbers and for what is no number.
                (table[(index as usize).min(table.len() - 1)], fault)
            }
            _ => {
                let value = apply(op, |id| values[id.index()].0);
                (value, fault_of(op, |id| values[id.index()]))
            }
        };
    }
    values
}

/// How many of the first `count` beginnings of a world have a truth value, a node of their program.
pub(crate) fn beginnings_with(graph: &Graph, condition: Id, parameters: &[f32], count: u64) -> u64 {
    let live = graph.live([condition]);
    let holds = |world: &u64| {
        let moment = Moment { stream: Stream::new(0, 0), world: *world, episode: 0, step: 0 };
        let inputs = Inputs { parameters, state: &[], action: &[], moment: Some(moment) };
        values(graph, &live, &inputs)[condition.index()].0 > 0.0
    };
    (0..count).filter(holds).count() as u64
}

/// The fault that has reached the value of an operation.
fn fault_of(op: Op, get: impl Fn(Id) -> Traced) -> Option<u16> {
    match op {
        Op::Check(value, bad, site) => {
            let ((_, fault), (bad, fault_bad)) = (get(value), get(bad));
            fault.or(fault_bad).or((bad > 0.0).then_some(site))
        }
        Op::Ternary(Ternary::Select, [c, a, b]) => {
            let (condition, fault) = get(c);
            fault.or(if condition > 0.0 { get(a).1 } else { get(b).1 })
        }
        Op::Binary(f @ (Binary::And | Binary::Or), a, b) => {
            let (first, fault) = get(a);
            let is_decided = (first > 0.0) == (f == Binary::Or);
            fault.or(if is_decided { None } else { get(b).1 })
        }
        _ => {
            let mut first = None;
            op.operands(|id| first = first.or(get(id).1));
            first
        }
    }
}

impl Moment {
    fn uniform(self, i: u16) -> f32 {
        let sub = sub_index(self.episode, self.step, uniform_block(i));
        to_unit(self.stream.block(self.world, sub)[usize::from(i % 4)])
    }

    fn normal(self, i: u16) -> f32 {
        let sub = sub_index(self.episode, self.step, normal_block(i));
        self.stream.normal4(self.world, sub)[usize::from(i % 4)]
    }
}

/// A shape from its numbers.
fn shape(drawing: &Drawing, numbers: &[f32]) -> Shape {
    let width = drawing.has_width.then(|| numbers[drawing.numbers]);
    let points = || numbers[..drawing.numbers].as_chunks().0.to_vec();
    let at = || [numbers[0], numbers[1]];
    let form = match &drawing.form {
        FormKind::Line => Form::Line { from: at(), to: [numbers[2], numbers[3]] },
        FormKind::Circle => Form::Circle { at: at(), radius: numbers[2] },
        FormKind::Rectangle => Form::Rectangle { at: at(), size: [numbers[2], numbers[3]], turn: numbers[4] },
        FormKind::Polygon => Form::Polygon(points()),
        FormKind::Polyline => Form::Polyline(points()),
        FormKind::Text { text, has_value } => Form::Text {
            at: at(),
            size: numbers[2],
            text: text.clone(),
            value: has_value.then(|| numbers[3]),
        },
        FormKind::Trail { length, trail } => Form::Trail { at: at(), length: *length, trail: *trail },
    };
    Shape { role: drawing.role, width, form }
}
