//! Replaces instructions of relaxed SIMD in a WebAssembly module by instructions whose result is the same in
//! every browser.
//!
//! A relaxed instruction may give one of several results, and the engine chooses the one that its processor
//! computes fastest. The kernels use three of these instructions. The results of relaxed lane select agree
//! for the masks of the kernels. The page tests whether multiply-add is fused; negative multiply-add is the
//! same with one factor negated.
//! Relaxed minimum and maximum, which LLVM uses in place of others, are always replaced.

use std::convert::Infallible;

use anyhow::{Context, Result};
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{CodeSection, CustomSection, Function, Instruction, Module, Section, ValType};
use wasmparser::{
    CodeSectionReader, CompositeInnerType, CustomSectionReader, FunctionBody, Operator, Parser, Payload,
    Validator, WasmFeatures,
};

/// The module with pseudo-minimum (`if b < a { b } else { a }`) and pseudo-maximum in place of the relaxed
/// ones. With relaxed SIMD, LLVM selects the relaxed ones for these, and they may return either operand if
/// one is NaN or both are zero.
pub fn with_exact_minimum(module: &[u8]) -> Result<Vec<u8>> {
    Rewriter::in_module(module, false)
}

/// The module without relaxed SIMD: for browsers that lack it, and for those whose multiply-add is not fused.
/// A multiply-add becomes a multiplication and an addition, so it rounds twice.
pub fn plain(module: &[u8]) -> Result<Vec<u8>> {
    let mut plain = Rewriter::in_module(module, true)?;
    // The site names files by what they contain. Without this, a module with no relaxed instruction would be
    // the other one's file, which the service worker does not keep for browsers that use this one.
    CustomSection { name: "plain".into(), data: [].as_slice().into() }.append_to(&mut plain);
    let features = WasmFeatures::all().difference(WasmFeatures::RELAXED_SIMD);
    Validator::new_with_features(features)
        .validate_all(&plain)
        .context("the module is not valid without relaxed SIMD")?;
    Ok(plain)
}

/// Writes a module anew and replaces its relaxed instructions: minimum and maximum always.
struct Rewriter {
    /// Whether multiply-adds and lane selects are replaced too.
    is_plain: bool,
    /// The number of parameters of each function that is not imported.
    parameters: Vec<u32>,
}

impl Rewriter {
    fn in_module(module: &[u8], is_plain: bool) -> Result<Vec<u8>> {
        let mut replaced = Module::new();
        let parameters = parameters(module).context("the module cannot be read")?;
        Self { is_plain, parameters }
            .parse_core_module(&mut replaced, Parser::new(0), module)
            .context("the module cannot be written")?;
        Ok(replaced.finish())
    }

    /// Writes the instructions of a function body. `spare` is the index of the first of two locals for
    /// vectors that the function does not use otherwise.
    fn write_body(
        &mut self,
        function: &mut Function,
        body: &FunctionBody<'_>,
        spare: u32,
    ) -> Result<(), Error<Infallible>> {
        let (addend, product) = (spare, spare + 1);
        for operator in body.get_operators_reader()? {
            let replacements: &[Instruction<'_>] = match operator? {
                Operator::F32x4RelaxedMin => &[Instruction::F32x4PMin],
                Operator::F32x4RelaxedMax => &[Instruction::F32x4PMax],
                Operator::F64x2RelaxedMin => &[Instruction::F64x2PMin],
                Operator::F64x2RelaxedMax => &[Instruction::F64x2PMax],
                // The last operand is on top of the stack.
                Operator::F32x4RelaxedMadd if self.is_plain => &[
                    Instruction::LocalSet(addend),
                    Instruction::F32x4Mul,
                    Instruction::LocalGet(addend),
                    Instruction::F32x4Add,
                ],
                Operator::F32x4RelaxedNmadd if self.is_plain => &[
                    Instruction::LocalSet(addend),
                    Instruction::F32x4Mul,
                    Instruction::LocalSet(product),
                    Instruction::LocalGet(addend),
                    Instruction::LocalGet(product),
                    Instruction::F32x4Sub,
                ],
                Operator::I32x4RelaxedLaneselect if self.is_plain => &[Instruction::V128Bitselect],
                other => &[self.instruction(other)?],
            };
            for instruction in replacements {
                function.instruction(instruction);
            }
        }
        Ok(())
    }
}

impl Reencode for Rewriter {
    type Error = Infallible;

    fn parse_custom_section(
        &mut self,
        module: &mut Module,
        section: CustomSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        // The list of features names relaxed SIMD. Nothing reads it in a finished module.
        if self.is_plain && section.name() == "target_features" {
            return Ok(());
        }
        utils::parse_custom_section(self, module, section)
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        for (index, body) in section.into_iter().enumerate() {
            let body = body?;
            let mut locals = Vec::new();
            let mut spare = self.parameters[index];
            for group in body.get_locals_reader()? {
                let (count, of_type) = group?;
                spare += count;
                locals.push((count, self.val_type(of_type)?));
            }
            if self.is_plain && uses_multiply_add(&body)? {
                locals.push((2, ValType::V128));
            }
            let mut function = Function::new(locals);
            self.write_body(&mut function, &body, spare)?;
            code.function(&function);
        }
        Ok(())
    }
}

fn uses_multiply_add(body: &FunctionBody<'_>) -> Result<bool, wasmparser::BinaryReaderError> {
    for operator in body.get_operators_reader()? {
        if matches!(operator?, Operator::F32x4RelaxedMadd | Operator::F32x4RelaxedNmadd) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The number of parameters of each function of a module that is not imported.
fn parameters(module: &[u8]) -> Result<Vec<u32>> {
    let mut of_types = Vec::new();
    let mut of_functions = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::TypeSection(groups) => {
                for group in groups {
                    of_types.extend(group?.into_types().map(|one| match one.composite_type.inner {
                        CompositeInnerType::Func(function) => function.params().len() as u32,
                        _ => 0,
                    }));
                }
            }
            Payload::FunctionSection(functions) => {
                for of_type in functions {
                    of_functions.push(of_types[of_type? as usize]);
                }
            }
            _ => {}
        }
    }
    Ok(of_functions)
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{FunctionSection, TypeSection};
    use wasmparser::BinaryReaderError;

    use super::*;

    /// A module with one function, which applies `instruction` to the first `operands` of its parameters. It
    /// has a local too, so that the indices of added locals are tested.
    fn module(instruction: Instruction<'_>, operands: u32) -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([ValType::V128; 3], [ValType::V128]);
        let mut functions = FunctionSection::new();
        functions.function(0);
        let mut function = Function::new([(1, ValType::I32)]);
        (0..operands).for_each(|operand| _ = function.instruction(&Instruction::LocalGet(operand)));
        function.instruction(&instruction).instruction(&Instruction::End);
        let mut code = CodeSection::new();
        code.function(&function);
        let mut module = Module::new();
        module.section(&types).section(&functions).section(&code);
        module.finish()
    }

    /// The instructions of the function after the first `operands`, which load the operands.
    fn instructions(module: &[u8], operands: usize) -> Vec<String> {
        let bodies = Parser::new(0).parse_all(module).filter_map(|payload| match payload.unwrap() {
            Payload::CodeSectionEntry(body) => Some(body),
            _ => None,
        });
        let of_body = |body: FunctionBody<'_>| -> Result<Vec<String>, BinaryReaderError> {
            body.get_operators_reader()?.into_iter().map(|operator| Ok(format!("{:?}", operator?))).collect()
        };
        bodies.flat_map(|body| of_body(body).unwrap()).skip(operands).collect()
    }

    #[test]
    fn plain_modules_have_no_relaxed_instruction() {
        // Locals 0 to 2 are the operands, and 3 is the function's own.
        let multiply = ["LocalSet { local_index: 4 }", "F32x4Mul"];
        let add = ["LocalGet { local_index: 4 }", "F32x4Add", "End"];
        assert_eq!(
            instructions(&plain(&module(Instruction::F32x4RelaxedMadd, 3)).unwrap(), 3),
            [&multiply[..], &add].concat()
        );
        let subtract = [
            "LocalSet { local_index: 5 }",
            "LocalGet { local_index: 4 }",
            "LocalGet { local_index: 5 }",
            "F32x4Sub",
            "End",
        ];
        assert_eq!(
            instructions(&plain(&module(Instruction::F32x4RelaxedNmadd, 3)).unwrap(), 3),
            [&multiply[..], &subtract].concat()
        );
        assert_eq!(
            instructions(&plain(&module(Instruction::I32x4RelaxedLaneselect, 3)).unwrap(), 3),
            ["V128Bitselect", "End"]
        );
    }

    #[test]
    fn relaxed_instructions_without_a_plain_form_are_errors() {
        for (instruction, operands) in
            [(Instruction::I8x16RelaxedSwizzle, 2), (Instruction::F64x2RelaxedMadd, 3)]
        {
            let error = plain(&module(instruction, operands)).unwrap_err();
            assert!(
                format!("{error:#}").contains("not valid without relaxed SIMD: relaxed SIMD"),
                "{error:#}"
            );
        }
    }

    #[test]
    fn minimum_and_maximum_are_exact_in_every_module() {
        for (relaxed, exact) in [
            (Instruction::F32x4RelaxedMin, "F32x4PMin"),
            (Instruction::F32x4RelaxedMax, "F32x4PMax"),
            (Instruction::F64x2RelaxedMin, "F64x2PMin"),
            (Instruction::F64x2RelaxedMax, "F64x2PMax"),
        ] {
            let module = module(relaxed, 2);
            assert_eq!(instructions(&with_exact_minimum(&module).unwrap(), 2), [exact, "End"]);
            assert_eq!(instructions(&plain(&module).unwrap(), 2), [exact, "End"]);
        }
        // The others stay.
        let fused = with_exact_minimum(&module(Instruction::F32x4RelaxedMadd, 3)).unwrap();
        assert_eq!(instructions(&fused, 3), ["F32x4RelaxedMadd", "End"]);
    }
}
