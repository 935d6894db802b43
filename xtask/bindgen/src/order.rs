//! Orders the functions of a WebAssembly module so that it compresses better.
//!
//! The compilers emit functions in no particular order, and gzip finds a repetition only within 32 kB. So
//! functions with common byte sequences (copies of one generic function, kernels of different sizes) are put
//! next to each other: after the functions so far comes the one that shares most with them. The order changes
//! no function, and no speed.

use std::collections::VecDeque;
use std::convert::Infallible;

use anyhow::{Context, Result};
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{CodeSectionReader, FunctionBody, FunctionSectionReader, Parser, Payload, TypeRef};

/// Functions are compared by their sequences of so many bytes.
const SEQUENCE_BYTES: usize = 6;
/// A function is compared with so many bytes before it: with less than gzip's window, because a repetition
/// may begin at the end of both.
const WINDOW_BYTES: usize = 24_000;
/// A sequence that more functions contain says nothing about any two of them.
const MAX_FUNCTIONS_OF_A_SEQUENCE: usize = 60;
/// Added to the length of a function by which common sequences are divided, so that a tiny one does not
/// count as most similar for a single sequence.
const LENGTH_OFFSET: usize = 20;

/// The module with its functions in another order.
pub fn ordered(module: &[u8]) -> Result<Vec<u8>> {
    let mut imported = 0;
    let mut bodies = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        match payload.context("the module cannot be read")? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    imported += usize::from(matches!(import?.ty, TypeRef::Func(_) | TypeRef::FuncExact(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
            _ => {}
        }
    }
    let order = order(&bodies);
    // The new index of each function by its old one.
    let mut indices: Vec<u32> = (0..(imported + bodies.len()) as u32).collect();
    for (place, function) in order.iter().enumerate() {
        indices[imported + function] = (imported + place) as u32;
    }
    let mut ordered = Module::new();
    let parser = Parser::new(0);
    Ordering { indices, order }
        .parse_core_module(&mut ordered, parser, module)
        .context("the module cannot be written")?;
    Ok(ordered.finish())
}

/// An order of the functions with these bodies in which similar ones are neighbours.
fn order(bodies: &[&[u8]]) -> Vec<usize> {
    // Every sequence of bytes with each function that contains it.
    let mut places: Vec<([u8; SEQUENCE_BYTES], usize)> = Vec::new();
    for (function, body) in bodies.iter().enumerate() {
        places.extend(body.array_windows().map(|sequence| (*sequence, function)));
    }
    places.sort_unstable();
    places.dedup();
    let mut functions_of = Vec::new();
    let mut sequences_of = vec![Vec::new(); bodies.len()];
    for places in places.chunk_by(|a, b| a.0 == b.0) {
        if (2..=MAX_FUNCTIONS_OF_A_SEQUENCE).contains(&places.len()) {
            places.iter().for_each(|(_, function)| sequences_of[*function].push(functions_of.len()));
            functions_of.push(places.iter().map(|(_, function)| *function).collect::<Vec<_>>());
        }
    }

    // For each sequence, how many functions in the window contain it. For each function, how many of its
    // sequences the window contains.
    let mut count_in_window = vec![0; functions_of.len()];
    let mut common = vec![0_usize; bodies.len()];
    let mut window = VecDeque::new();
    let mut window_bytes = 0;
    let mut left: Vec<usize> = (0..bodies.len()).collect();
    let mut order = Vec::new();
    let similarity = |common: &[usize], function: usize| {
        common[function] as f64 / (bodies[function].len() + LENGTH_OFFSET) as f64
    };
    while let Some(next) = (0..left.len()).max_by(|a, b| {
        let (a, b) = (left[*a], left[*b]);
        // Of equally similar ones the longest, and of these the first.
        let by_similarity = similarity(&common, a).total_cmp(&similarity(&common, b));
        by_similarity.then(bodies[a].len().cmp(&bodies[b].len())).then(b.cmp(&a))
    }) {
        let function = left.swap_remove(next);
        order.push(function);
        window.push_back(function);
        window_bytes += bodies[function].len();
        for &sequence in &sequences_of[function] {
            count_in_window[sequence] += 1;
            if count_in_window[sequence] == 1 {
                functions_of[sequence].iter().for_each(|other| common[*other] += 1);
            }
        }
        while window_bytes > WINDOW_BYTES && window.len() > 1 {
            let Some(gone) = window.pop_front() else { break };
            window_bytes -= bodies[gone].len();
            for &sequence in &sequences_of[gone] {
                count_in_window[sequence] -= 1;
                if count_in_window[sequence] == 0 {
                    functions_of[sequence].iter().for_each(|other| common[*other] -= 1);
                }
            }
        }
    }
    order
}

/// Writes a module with its functions in the order `order`.
struct Ordering {
    /// The new index of each function, also of imported ones.
    indices: Vec<u32>,
    order: Vec<usize>,
}

impl Reencode for Ordering {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Infallible>> {
        Ok(self.indices[function as usize])
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let types = section.into_iter().collect::<Result<Vec<u32>, _>>()?;
        for function in self.order.clone() {
            functions.function(self.type_index(types[function])?);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let bodies = section.into_iter().collect::<Result<Vec<FunctionBody<'_>>, _>>()?;
        for function in self.order.clone() {
            self.parse_function_body(code, bodies[function].clone())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_functions_become_neighbours() {
        let (a, b) = ([b'a'; 20], *b"0123456789abcdefghij");
        let (a_and_more, b_and_more) = ([&a[..], b"xyz"].concat(), [&b[..], b"uvw"].concat());
        let bodies = [&a[..], &b, &a_and_more, &b_and_more];
        let order = order(&bodies);
        assert!(order == [2, 0, 3, 1] || order == [3, 1, 2, 0], "{order:?}");
    }
}
