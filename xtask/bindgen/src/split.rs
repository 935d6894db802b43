//! Splits a WebAssembly module in two, so that a first visit loads less. The *later* part has the functions
//! of a list, and imports from the *first* part what they use: memory, tables, globals and functions.
//!
//! For each moved function that the first part may call, the first part has a *stub*, which calls through its
//! own slot of the function table. A stub whose slot is empty first calls the import `later.load`. That
//! instantiates the later part, which fills all slots. So a call does the same as before, whichever functions
//! are moved.

mod whole;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use anyhow::{Context, Result, anyhow, ensure};
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, ElementSection, Elements, EntityType, ExportKind, ExportSection,
    Function, FunctionSection, ImportSection, Instruction, Module, RefType, TableType, TypeSection,
};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, ExportSectionReader, FuncType, FunctionSectionReader,
    ImportSectionReader, Parser, Validator, WasmFeatures,
};

use whole::{Uses, Whole};

/// The import of the first part that instantiates the later one. Its argument is the slot that was empty.
const LOAD: (&str, &str) = ("later", "load");

/// The parts of a module.
#[derive(Debug)]
pub struct Parts {
    pub first: Vec<u8>,
    pub later: Vec<u8>,
}

/// Splits a module that has names of its functions. `names` are the beginnings of the names of the functions
/// that are loaded later, one a line, as [`readable`] writes them; lines that begin with `#` are comments.
pub fn split(module: &[u8], names: &str) -> Result<Parts> {
    let beginnings: Vec<&str> =
        names.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let is_named = |name: &str| beginnings.iter().any(|beginning| name.starts_with(beginning));
    let whole = Whole::read(module).context("the module cannot be read")?;
    ensure!(whole.has_imports, "it imports nothing");
    let plan = Plan::new(&whole, |function| {
        whole.names.get(&function).is_some_and(|name| is_named(&readable(name)))
    })?;
    ensure!(!plan.later.is_empty(), "none of its functions is loaded later");
    let mut first = Module::new();
    First { whole: &whole, plan: &plan }
        .parse_core_module(&mut first, Parser::new(0), module)
        .map_err(|error| anyhow!("the first part cannot be written: {error}"))?;
    let first = first.finish();
    let later =
        write_later(&whole, &plan).map_err(|error| anyhow!("the later part cannot be written: {error}"))?;
    for (part, bytes) in [("first", &first), ("later", &later)] {
        Validator::new_with_features(WasmFeatures::all())
            .validate_all(bytes)
            .with_context(|| format!("the {part} part is not valid"))?;
    }
    Ok(Parts { first, later })
}

/// The name of a function as in its source, without hashes.
pub fn readable(name: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(name))
}

/// Which functions go where.
struct Plan {
    /// The functions of the later part, and their places in it.
    later: BTreeMap<u32, u32>,
    /// Each function that has a stub, and the number of its slot after `first_slot`.
    stubs: BTreeMap<u32, u32>,
    /// The functions that the first part defines, stubs too, in their order.
    first: Vec<u32>,
    /// The new index in the first part of each function that it has.
    indices: BTreeMap<u32, u32>,
    /// What the later part uses of the first.
    shared: Uses,
    /// The index and the type of the table of functions, with room for the slots, and the first slot.
    table: u32,
    table_type: TableType,
    first_slot: u32,
    /// The type of `later.load`.
    load_type: u32,
}

impl Plan {
    fn new(whole: &Whole<'_>, is_later: impl Fn(u32) -> bool) -> Result<Self> {
        let mut later = BTreeMap::new();
        let mut shared = Uses::default();
        // The functions that the first part refers to.
        let mut called = whole.roots.functions.clone();
        for (body, function) in whole.bodies.iter().zip(whole.imported..) {
            let mut uses = Uses::default();
            uses.parse_function_body(&mut CodeSection::new(), body.clone())
                .map_err(|error| anyhow!("a function cannot be read: {error}"))?;
            // Only the first part has segments, and the start function runs before the later part is there.
            if is_later(function) && !uses.has_segments && whole.start != Some(function) {
                later.insert(function, later.len() as u32);
                shared.functions.append(&mut uses.functions);
                shared.tables.append(&mut uses.tables);
                shared.memories.append(&mut uses.memories);
                shared.globals.append(&mut uses.globals);
            } else {
                called.append(&mut uses.functions);
            }
        }
        shared.functions.retain(|function| !later.contains_key(function));
        let of_functions = |table: &wasmparser::TableType| table.element_type == wasmparser::RefType::FUNCREF;
        let tables: Vec<usize> =
            (0..whole.tables.len()).filter(|i| of_functions(&whole.tables[*i])).collect();
        let [table] = tables[..] else { return Err(anyhow!("it has {} tables of functions", tables.len())) };
        shared.tables.insert(table as u32);
        let found = &whole.tables[table];
        let stubs: BTreeMap<u32, u32> =
            called.into_iter().filter(|function| later.contains_key(function)).zip(0..).collect();
        let slots = stubs.len() as u64;
        let table_type = TableType {
            element_type: RefType::FUNCREF,
            table64: found.table64,
            minimum: found.initial + slots,
            maximum: found.maximum.map(|most| most.max(found.initial + slots)),
            shared: found.shared,
        };
        let defined = whole.imported..whole.functions.len() as u32;
        let first: Vec<u32> = defined
            .filter(|function| !later.contains_key(function) || stubs.contains_key(function))
            .collect();
        // `later.load` is the last import.
        let imported = (0..whole.imported).map(|function| (function, function));
        let indices = imported.chain(first.iter().copied().zip(whole.imported + 1..)).collect();
        let takes_a_number = |of_type: &FuncType| {
            of_type.params() == [wasmparser::ValType::I32] && of_type.results().is_empty()
        };
        let load_type = whole.function_types.iter().position(takes_a_number);
        let load_type = load_type.context("no function takes a number and returns nothing")? as u32;
        let (table, first_slot) = (table as u32, found.initial as u32);
        Ok(Self { later, stubs, first, indices, shared, table, table_type, first_slot, load_type })
    }

    /// The names (`_0`, `_1`, ...) under which the first part exports, and the later part imports, what the
    /// later part uses; and what each is in the whole module.
    fn exports(&self) -> impl Iterator<Item = (String, ExportKind, u32)> {
        let Uses { functions, tables, memories, globals, .. } = &self.shared;
        let of = |kind, indices: &BTreeSet<u32>| indices.iter().map(|i| (kind, *i)).collect::<Vec<_>>();
        let all = [
            of(ExportKind::Func, functions),
            of(ExportKind::Table, tables),
            of(ExportKind::Memory, memories),
            of(ExportKind::Global, globals),
        ];
        all.concat().into_iter().enumerate().map(|(i, (kind, index))| (format!("_{i}"), kind, index))
    }

    fn table_type(&self, table: wasmparser::TableType) -> Option<TableType> {
        (table.element_type == wasmparser::RefType::FUNCREF).then_some(self.table_type)
    }

    /// The function that stands for a function of the later part.
    fn stub(&self, whole: &Whole<'_>, function: u32) -> Function {
        let slot = (self.first_slot + self.stubs[&function]) as i32;
        let mut stub = Function::new([]);
        let mut write = |instruction| {
            stub.instruction(&instruction);
        };
        write(Instruction::I32Const(slot));
        write(Instruction::TableGet(self.table));
        write(Instruction::RefIsNull);
        write(Instruction::If(BlockType::Empty));
        write(Instruction::I32Const(slot));
        // `later.load`, the last import.
        write(Instruction::Call(whole.imported));
        write(Instruction::End);
        for parameter in 0..whole.type_of(function).params().len() {
            write(Instruction::LocalGet(parameter as u32));
        }
        write(Instruction::I32Const(slot));
        write(Instruction::CallIndirect {
            type_index: whole.functions[function as usize],
            table_index: self.table,
        });
        write(Instruction::End);
        stub
    }
}

/// Writes the first part.
struct First<'a> {
    whole: &'a Whole<'a>,
    plan: &'a Plan,
}

impl Reencode for First<'_> {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Infallible>> {
        Ok(self.plan.indices[&function])
    }

    fn table_type(&mut self, table: wasmparser::TableType) -> Result<TableType, Error<Infallible>> {
        self.plan.table_type(table).map_or_else(|| utils::table_type(self, table), Ok)
    }

    fn parse_custom_section(
        &mut self,
        module: &mut Module,
        section: CustomSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        if section.name() == "name" { Ok(()) } else { utils::parse_custom_section(self, module, section) }
    }

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        section: ImportSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        utils::parse_import_section(self, imports, section)?;
        imports.import(LOAD.0, LOAD.1, EntityType::Function(self.plan.load_type));
        Ok(())
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        _: FunctionSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        for function in &self.plan.first {
            functions.function(self.whole.functions[*function as usize]);
        }
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: ExportSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        utils::parse_export_section(self, exports, section)?;
        for (name, kind, index) in self.plan.exports() {
            let index = if kind == ExportKind::Func { self.function_index(index)? } else { index };
            exports.export(&name, kind, index);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        _: CodeSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        for function in &self.plan.first {
            if self.plan.stubs.contains_key(function) {
                code.function(&self.plan.stub(self.whole, *function));
            } else {
                self.parse_function_body(code, self.whole.body(*function))?;
            }
        }
        Ok(())
    }
}

/// Writes functions for the later part: maps indices of the whole module to those of the later part.
struct Later<'a> {
    plan: &'a Plan,
    functions: BTreeMap<u32, u32>,
    tables: BTreeMap<u32, u32>,
    memories: BTreeMap<u32, u32>,
    globals: BTreeMap<u32, u32>,
}

impl Reencode for Later<'_> {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Infallible>> {
        Ok(self.functions[&function])
    }

    fn table_index(&mut self, table: u32) -> Result<u32, Error<Infallible>> {
        Ok(self.tables[&table])
    }

    fn memory_index(&mut self, memory: u32) -> Result<u32, Error<Infallible>> {
        Ok(self.memories[&memory])
    }

    fn global_index(&mut self, global: u32) -> Result<u32, Error<Infallible>> {
        Ok(self.globals[&global])
    }

    fn table_type(&mut self, table: wasmparser::TableType) -> Result<TableType, Error<Infallible>> {
        self.plan.table_type(table).map_or_else(|| utils::table_type(self, table), Ok)
    }
}

/// Writes the later part.
fn write_later(whole: &Whole<'_>, plan: &Plan) -> Result<Vec<u8>, Error<Infallible>> {
    let numbered = |indices: &BTreeSet<u32>| indices.iter().copied().zip(0..).collect::<BTreeMap<_, _>>();
    let shared = &plan.shared;
    let imported = shared.functions.len() as u32;
    let own = plan.later.iter().map(|(function, place)| (*function, imported + place));
    let mut later = Later {
        plan,
        functions: numbered(&shared.functions).into_iter().chain(own).collect(),
        tables: numbered(&shared.tables),
        memories: numbered(&shared.memories),
        globals: numbered(&shared.globals),
    };

    let mut types = TypeSection::new();
    if let Some(section) = whole.types.clone() {
        later.parse_type_section(&mut types, section)?;
    }
    let mut imports = ImportSection::new();
    for (name, kind, index) in plan.exports() {
        let i = index as usize;
        let entity = match kind {
            ExportKind::Func => EntityType::Function(whole.functions[i]),
            ExportKind::Table => EntityType::Table(later.table_type(whole.tables[i])?),
            ExportKind::Memory => EntityType::Memory(later.memory_type(whole.memories[i])?),
            _ => EntityType::Global(later.global_type(whole.globals[i])?),
        };
        imports.import("", &name, entity);
    }
    let mut functions = FunctionSection::new();
    let mut code = CodeSection::new();
    for function in plan.later.keys() {
        functions.function(whole.functions[*function as usize]);
        later.parse_function_body(&mut code, whole.body(*function))?;
    }
    let slots: Vec<u32> = plan.stubs.keys().map(|function| later.functions[function]).collect();
    let mut elements = ElementSection::new();
    let table = later.tables[&plan.table];
    let offset = ConstExpr::i32_const(plan.first_slot as i32);
    elements.active((table > 0).then_some(table), &offset, Elements::Functions(Cow::Owned(slots)));
    let mut module = Module::new();
    module.section(&types).section(&imports).section(&functions).section(&elements).section(&code);
    Ok(module.finish())
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{MemoryType, NameMap, NameSection, TableSection};

    use super::*;

    const NAMES: [&str; 4] = ["learning::step", "saving::save", "saving::write", "learning::size"];

    /// A module whose exported function 0 calls 1, which calls 2 and 3; the table has 1.
    fn module() -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([wasm_encoder::ValType::I32], []);
        let mut imports = ImportSection::new();
        let memory =
            MemoryType { minimum: 1, maximum: None, memory64: false, shared: false, page_size_log2: None };
        imports.import("page", "memory", memory);
        let mut functions = FunctionSection::new();
        (0..4).for_each(|_| {
            functions.function(0);
        });
        let mut tables = TableSection::new();
        tables.table(TableType {
            element_type: RefType::FUNCREF,
            table64: false,
            minimum: 2,
            maximum: Some(2),
            shared: false,
        });
        let mut exports = ExportSection::new();
        exports.export("step", ExportKind::Func, 0);
        let mut elements = ElementSection::new();
        elements.active(None, &ConstExpr::i32_const(1), Elements::Functions(Cow::Owned(vec![1])));
        let mut code = CodeSection::new();
        for called in [&[1][..], &[2, 3], &[], &[]] {
            let mut function = Function::new([]);
            for callee in called {
                function.instruction(&Instruction::LocalGet(0)).instruction(&Instruction::Call(*callee));
            }
            function.instruction(&Instruction::End);
            code.function(&function);
        }
        let mut names = NameMap::new();
        NAMES.iter().zip(0..).for_each(|(name, index)| names.append(index, name));
        let mut section = NameSection::new();
        section.functions(&names);
        let mut module = Module::new();
        module
            .section(&types)
            .section(&imports)
            .section(&functions)
            .section(&tables)
            .section(&exports)
            .section(&elements);
        module.section(&code).section(&section);
        module.finish()
    }

    /// The functions that a part imports, and those that it defines.
    fn functions(part: &[u8]) -> (u32, usize) {
        let part = Whole::read(part).expect("a module");
        (part.imported, part.bodies.len())
    }

    #[test]
    fn functions_of_the_list_go_into_the_later_part() {
        let Parts { first, later } = split(&module(), "# a comment\n\nsaving::\n").expect("two parts");
        // One import, `later.load`. Three bodies: both functions of `learning`, and the stub of
        // `saving::save`, which `learning::step` calls.
        assert_eq!(functions(&first), (1, 3));
        // One import, `learning::size`. Two bodies: both functions of `saving`.
        assert_eq!(functions(&later), (1, 2));
        let first = Whole::read(&first).expect("a module");
        assert_eq!((first.tables[0].initial, first.tables[0].maximum), (3, Some(3)));
        assert!(first.names.is_empty());
    }

    #[test]
    fn list_without_functions_is_refused() {
        let error = split(&module(), "# nothing\nloading::\n").expect_err("nothing is moved");
        assert!(error.to_string().contains("none of its functions"), "{error}");
    }
}
