//! What has to be known of a module to split it.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use anyhow::Result;
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{ElementSection, ExportSection, GlobalSection};
use wasmparser::{
    FuncType, FunctionBody, GlobalSectionReader, KnownCustom, Name, Parser, Payload, TypeRef,
    TypeSectionReader,
};

/// What a function, or a section, refers to.
#[derive(Default)]
pub struct Uses {
    pub functions: BTreeSet<u32>,
    pub tables: BTreeSet<u32>,
    pub memories: BTreeSet<u32>,
    pub globals: BTreeSet<u32>,
    /// Whether it refers to segments of data or elements, which only the first part has.
    pub has_segments: bool,
}

impl Reencode for Uses {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Infallible>> {
        self.functions.insert(function);
        Ok(function)
    }

    fn table_index(&mut self, table: u32) -> Result<u32, Error<Infallible>> {
        self.tables.insert(table);
        Ok(table)
    }

    fn memory_index(&mut self, memory: u32) -> Result<u32, Error<Infallible>> {
        self.memories.insert(memory);
        Ok(memory)
    }

    fn global_index(&mut self, global: u32) -> Result<u32, Error<Infallible>> {
        self.globals.insert(global);
        Ok(global)
    }

    fn data_index(&mut self, data: u32) -> Result<u32, Error<Infallible>> {
        self.has_segments = true;
        Ok(data)
    }

    fn element_index(&mut self, element: u32) -> Result<u32, Error<Infallible>> {
        self.has_segments = true;
        Ok(element)
    }
}

/// A module, as far as it has to be known to split it. Functions, tables, memories and globals begin with
/// those that are imported.
#[derive(Default)]
pub struct Whole<'a> {
    pub types: Option<TypeSectionReader<'a>>,
    pub function_types: Vec<FuncType>,
    /// Whether it imports anything.
    pub has_imports: bool,
    /// The number of imported functions.
    pub imported: u32,
    /// The index of each function's type.
    pub functions: Vec<u32>,
    pub tables: Vec<wasmparser::TableType>,
    pub memories: Vec<wasmparser::MemoryType>,
    pub globals: Vec<wasmparser::GlobalType>,
    /// The function that runs when the module is instantiated.
    pub start: Option<u32>,
    /// The roots: what elements, exports and the initial values of globals refer to.
    pub roots: Uses,
    /// Of the functions that are not imported, in their order.
    pub bodies: Vec<FunctionBody<'a>>,
    /// The names of functions, if the module has kept them.
    pub names: BTreeMap<u32, &'a str>,
}

impl<'a> Whole<'a> {
    pub fn read(module: &'a [u8]) -> Result<Self> {
        let mut whole = Self::default();
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::TypeSection(types) => {
                    whole.types = Some(types.clone());
                    whole.function_types = types.into_iter_err_on_gc_types().collect::<Result<_, _>>()?;
                }
                Payload::ImportSection(imports) => {
                    whole.has_imports = true;
                    for import in imports.into_imports() {
                        match import?.ty {
                            TypeRef::Func(of_type) | TypeRef::FuncExact(of_type) => {
                                whole.functions.push(of_type);
                            }
                            TypeRef::Table(table) => whole.tables.push(table),
                            TypeRef::Memory(memory) => whole.memories.push(memory),
                            TypeRef::Global(global) => whole.globals.push(global),
                            TypeRef::Tag(_) => {}
                        }
                    }
                    whole.imported = whole.functions.len() as u32;
                }
                Payload::FunctionSection(functions) => {
                    for of_type in functions {
                        whole.functions.push(of_type?);
                    }
                }
                Payload::TableSection(tables) => {
                    for table in tables {
                        whole.tables.push(table?.ty);
                    }
                }
                Payload::MemorySection(memories) => {
                    for memory in memories {
                        whole.memories.push(memory?);
                    }
                }
                Payload::GlobalSection(globals) => {
                    whole.read_globals(globals)?;
                }
                Payload::StartSection { func, .. } => whole.start = Some(func),
                Payload::ExportSection(exports) => {
                    whole.roots.parse_export_section(&mut ExportSection::new(), exports)?;
                }
                Payload::ElementSection(elements) => {
                    whole.roots.parse_element_section(&mut ElementSection::new(), elements)?;
                }
                Payload::CodeSectionEntry(body) => whole.bodies.push(body),
                Payload::CustomSection(section) => {
                    if let KnownCustom::Name(names) = section.as_known() {
                        for name in names {
                            let Name::Function(functions) = name? else { continue };
                            for naming in functions {
                                let naming = naming?;
                                whole.names.insert(naming.index, naming.name);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(whole)
    }

    fn read_globals(&mut self, globals: GlobalSectionReader<'a>) -> Result<()> {
        for global in globals.clone() {
            self.globals.push(global?.ty);
        }
        self.roots.parse_global_section(&mut GlobalSection::new(), globals)?;
        Ok(())
    }

    /// The type of a function.
    pub fn type_of(&self, function: u32) -> &FuncType {
        &self.function_types[self.functions[function as usize] as usize]
    }

    /// The body of a function that is not imported.
    pub fn body(&self, function: u32) -> FunctionBody<'a> {
        self.bodies[(function - self.imported) as usize].clone()
    }
}
