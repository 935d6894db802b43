//! Two-input logic gates and their sixteen kinds.

/// What a gate computes of its inputs `a` and `b`.
///
/// The number of a kind is its truth table, as in [`learnery_kernels::gates::COEFFICIENTS`] and as it is
/// written into exported files: the answer to (0, 0) is bit 3, to (0, 1) bit 2, to (1, 0) bit 1, and to
/// (1, 1) bit 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum GateKind {
    False = 0,
    And = 1,
    AAndNotB = 2,
    /// Passes its first input through.
    A = 3,
    NotAAndB = 4,
    /// Passes its second input through.
    B = 5,
    Xor = 6,
    Or = 7,
    Nor = 8,
    Xnor = 9,
    NotB = 10,
    AOrNotB = 11,
    NotA = 12,
    NotAOrB = 13,
    Nand = 14,
    True = 15,
}

impl GateKind {
    /// All kinds in the order of their numbers.
    pub const ALL: [Self; 16] = [
        Self::False,
        Self::And,
        Self::AAndNotB,
        Self::A,
        Self::NotAAndB,
        Self::B,
        Self::Xor,
        Self::Or,
        Self::Nor,
        Self::Xnor,
        Self::NotB,
        Self::AOrNotB,
        Self::NotA,
        Self::NotAOrB,
        Self::Nand,
        Self::True,
    ];

    /// The kind of a number.
    ///
    /// # Panics
    /// For numbers above 15.
    pub const fn from_number(number: u8) -> Self {
        Self::ALL[number as usize]
    }

    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Whether it passes one of its inputs on. All gates start so, some with their second input.
    pub const fn is_plain_wire(self) -> bool {
        matches!(self, Self::A | Self::B)
    }

    /// The gate's value in 64 cases at once, one per bit.
    pub fn apply(self, a: u64, b: u64) -> u64 {
        // The cases of one combination of inputs, if this bit of the truth table answers it with 1.
        let minterm = |bit: u8, cases: u64| if self.number() >> bit & 1 == 1 { cases } else { 0 };
        minterm(3, !a & !b) | minterm(2, !a & b) | minterm(1, a & !b) | minterm(0, a & b)
    }

    /// Whether the value depends on `a`, and whether it depends on `b`.
    pub const fn depends_on(self) -> [bool; 2] {
        match self {
            Self::False | Self::True => [false, false],
            Self::A | Self::NotA => [true, false],
            Self::B | Self::NotB => [false, true],
            _ => [true, true],
        }
    }
}

/// A gate of a netlist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gate {
    pub kind: GateKind,
    /// The wires that carry `a` and `b`.
    pub inputs: [u32; 2],
}

impl Gate {
    /// The wires that the gate's value depends on: both, one or none.
    pub fn dependencies(&self) -> impl Iterator<Item = u32> + use<> {
        dependencies(self.kind, self.inputs)
    }
}

/// Returns those of a gate's two input wires that its value depends on.
pub fn dependencies(kind: GateKind, wires: [u32; 2]) -> impl Iterator<Item = u32> {
    wires.into_iter().zip(kind.depends_on()).filter(|(_, depends)| *depends).map(|(wire, _)| wire)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gate_kind_number_is_its_truth_table() {
        for (number, kind) in (0..).zip(GateKind::ALL) {
            assert_eq!((kind.number(), GateKind::from_number(number)), (number, kind));
            for (a, b) in [(0, 0), (0, u64::MAX), (u64::MAX, 0), (u64::MAX, u64::MAX)] {
                let answer = number >> (3 - (2 * (a & 1) + (b & 1))) & 1;
                assert_eq!(kind.apply(a, b), if answer == 1 { u64::MAX } else { 0 });
            }
        }
    }

    #[test]
    fn gate_depends_on_an_input_if_changing_it_can_change_the_value() {
        for kind in GateKind::ALL {
            // The four combinations of inputs, one per bit. `& 15` compares only these four bits.
            let (a, b) = (0b1100, 0b1010);
            let value = kind.apply(a, b) & 15;
            let changes = [kind.apply(!a, b) & 15 != value, kind.apply(a, !b) & 15 != value];
            assert_eq!(kind.depends_on(), changes, "{kind:?}");
        }
    }
}
