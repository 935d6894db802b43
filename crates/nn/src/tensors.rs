//! Named tensors and their file format, safetensors, which Python can read. Checkpoints are such files.
//!
//! The entries of [`Tensors`] are sorted by name, so the same content always gives the same bytes.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use bytemuck::Pod;
use safetensors::tensor::{Dtype, SafeTensors, View};
use thiserror::Error;

/// Why tensors could not be read.
#[derive(Debug, Error)]
pub enum TensorError {
    /// The bytes are not a complete safetensors file.
    #[error("not a readable safetensors file: {0}")]
    Damaged(String),
    #[error("tensor `{0}` is missing")]
    Missing(String),
    /// A tensor has another shape or type than expected.
    #[error("tensor `{name}` is {found}, expected {expected}")]
    Mismatch { name: String, found: String, expected: String },
}

/// A number type of tensors.
pub trait Element: Pod {
    const DTYPE: Dtype;
}

macro_rules! elements {
    ($($t:ty => $d:ident),*) => { $(impl Element for $t { const DTYPE: Dtype = Dtype::$d; })* };
}
elements!(f32 => F32, f64 => F64, u8 => U8, u32 => U32, u64 => U64);

/// One tensor: type, shape and little-endian bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    dtype: Dtype,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl Tensor {
    /// The name of the number type, such as "F32".
    pub fn type_name(&self) -> String {
        format!("{:?}", self.dtype)
    }

    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The values as little-endian bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl View for &Tensor {
    fn dtype(&self) -> Dtype {
        self.dtype
    }
    fn shape(&self) -> &[usize] {
        &self.shape
    }
    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.bytes)
    }
    fn data_len(&self) -> usize {
        self.bytes.len()
    }
}

/// Tensors by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tensors {
    entries: BTreeMap<String, Tensor>,
}

impl Tensors {
    pub fn new() -> Self {
        Self::default()
    }

    /// Inserts a tensor; replaces one of the same name.
    pub fn insert<T: Element>(&mut self, name: impl Into<String>, shape: &[usize], values: &[T]) {
        assert_eq!(shape.iter().product::<usize>(), values.len(), "shape and values differ");
        let tensor =
            Tensor { dtype: T::DTYPE, shape: shape.to_vec(), bytes: bytemuck::cast_slice(values).to_vec() };
        self.entries.insert(name.into(), tensor);
    }

    /// Inserts a tensor of the same type and shape as `like`, with other bytes.
    pub fn insert_bytes(&mut self, name: impl Into<String>, like: &Tensor, bytes: Vec<u8>) {
        assert_eq!(like.bytes.len(), bytes.len(), "shape and bytes differ");
        self.entries.insert(name.into(), Tensor { bytes, ..like.clone() });
    }

    /// Removes a tensor. Returns whether it existed.
    pub fn remove(&mut self, name: &str) -> bool {
        self.entries.remove(name).is_some()
    }

    /// Whether there is a tensor of this name.
    pub fn contains(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    /// The values of a tensor of exactly this type and shape.
    pub fn get<T: Element>(&self, name: &str, shape: &[usize]) -> Result<Vec<T>, TensorError> {
        let tensor = self.entries.get(name).ok_or_else(|| TensorError::Missing(name.into()))?;
        if tensor.dtype != T::DTYPE || tensor.shape != shape {
            return Err(TensorError::Mismatch {
                name: name.into(),
                found: format!("{:?} {:?}", tensor.dtype, tensor.shape),
                expected: format!("{:?} {shape:?}", T::DTYPE),
            });
        }
        Ok(bytemuck::allocation::pod_collect_to_vec(&tensor.bytes))
    }

    /// The values of a one-dimensional tensor of any length.
    pub fn get_vec<T: Element>(&self, name: &str) -> Result<Vec<T>, TensorError> {
        let tensor = self.entries.get(name).ok_or_else(|| TensorError::Missing(name.into()))?;
        let [len] = tensor.shape[..] else {
            return Err(TensorError::Mismatch {
                name: name.into(),
                found: format!("{:?}", tensor.shape),
                expected: "one dimension".into(),
            });
        };
        self.get(name, &[len])
    }

    /// All tensors with their names, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Tensor)> {
        self.entries.iter().map(|(name, tensor)| (name.as_str(), tensor))
    }

    /// Inserts all tensors of `other`, with `prefix` put before their names.
    pub fn absorb(&mut self, prefix: &str, other: Tensors) {
        self.entries.extend(other.entries.into_iter().map(|(name, t)| (format!("{prefix}{name}"), t)));
    }

    /// The tensors whose names begin with `prefix`, which is removed from their names.
    pub fn under(&self, prefix: &str) -> Tensors {
        let strip = |(name, t): (&String, &Tensor)| Some((name.strip_prefix(prefix)?.to_owned(), t.clone()));
        Tensors { entries: self.entries.iter().filter_map(strip).collect() }
    }

    /// Writes a safetensors file whose metadata has one entry, `note` under `key`. One entry only, because
    /// the library writes metadata in the order of a hash map, which is random for several entries.
    pub fn to_bytes(&self, key: &str, note: String) -> Vec<u8> {
        let metadata = HashMap::from([(key.to_owned(), note)]);
        let views = self.entries.iter().map(|(name, tensor)| (name.as_str(), tensor));
        safetensors::serialize(views, Some(metadata)).expect("shapes were checked on insertion")
    }

    /// Reads a safetensors file: the tensors, and the note under `key`.
    pub fn from_bytes(bytes: &[u8], key: &str) -> Result<(Self, Option<String>), TensorError> {
        let damaged = |e: safetensors::SafeTensorError| TensorError::Damaged(e.to_string());
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(damaged)?;
        let file = SafeTensors::deserialize(bytes).map_err(damaged)?;
        let note = metadata.metadata().as_ref().and_then(|m| m.get(key).cloned());
        let entries = file
            .iter()
            .map(|(name, view)| {
                let tensor =
                    Tensor { dtype: view.dtype(), shape: view.shape().to_vec(), bytes: view.data().to_vec() };
                (name.to_owned(), tensor)
            })
            .collect();
        Ok((Self { entries }, note))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Tensors {
        let mut t = Tensors::new();
        t.insert("network/w", &[2, 3], &[1.0f32, -2.0, 3.5, f32::MIN, f32::MAX, 0.0]);
        t.insert("network/b", &[3], &[0.25f32, 0.5, 1.0]);
        t.insert("order", &[4], &[3u32, 1, 2, 0]);
        t
    }

    #[test]
    fn tensors_round_trip_through_stable_bytes() {
        let t = sample();
        let bytes = t.to_bytes("k", "note".into());
        assert_eq!(bytes, t.clone().to_bytes("k", "note".into()));
        let (back, note) = Tensors::from_bytes(&bytes, "k").unwrap();
        assert_eq!((back, note.as_deref()), (t, Some("note")));
    }

    #[test]
    fn tensor_of_wrong_type_shape_or_name_is_rejected() {
        let t = sample();
        assert!(matches!(t.get::<f32>("order", &[4]), Err(TensorError::Mismatch { .. })));
        assert!(matches!(t.get::<f32>("network/w", &[3, 2]), Err(TensorError::Mismatch { .. })));
        assert!(matches!(t.get::<f32>("nothing", &[1]), Err(TensorError::Missing(_))));
    }

    #[test]
    fn under_selects_by_prefix_and_removes_it() {
        let network = sample().under("network/");
        assert_eq!(network.iter().map(|(n, _)| n).collect::<Vec<_>>(), ["b", "w"]);
    }

    #[test]
    fn truncated_file_is_rejected_at_every_length() {
        let bytes = sample().to_bytes("k", "note".into());
        for len in 0..bytes.len() {
            assert!(Tensors::from_bytes(&bytes[..len], "k").is_err(), "{len} bytes were accepted");
        }
    }
}
