//! Reads enums that are written as a table with the variant's name under the key `type`, such as
//! `{"type": "push", "strength": 1}`.
//!
//! The attribute `tag = "type"` of serde would read the same, but the code it generates can also read each
//! variant from a list, from borrowed and from owned texts, and from fields that come before `type`: 20 kB by
//! gzip in each of the page's bundles. So these enums derive `Deserialize` without that attribute, and ts-rs
//! gets it separately.

use serde::Deserializer;
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, EnumAccess, Error as _, IntoDeserializer, VariantAccess, Visitor,
};
use serde_json::{Error, Map, Value};

/// The key of the variant's name.
const TAG: &str = "type";

/// Reads an enum from a table. The errors are those of serde's `tag = "type"`.
pub fn from_tagged<T: DeserializeOwned>(value: Value) -> Result<T, Error> {
    let Value::Object(mut fields) = value else {
        return Err(Error::custom("it is not a table"));
    };
    match fields.remove(TAG) {
        Some(Value::String(variant)) => T::deserialize(Tagged { variant, fields }),
        Some(other) => Err(Error::custom(format_args!("`{TAG}` is {other}, which is no text"))),
        None => Err(Error::missing_field(TAG)),
    }
}

/// A table whose key `type` has been taken out.
struct Tagged {
    variant: String,
    fields: Map<String, Value>,
}

impl<'de> Deserializer<'de> for Tagged {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_enum(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> EnumAccess<'de> for Tagged {
    type Error = Error;
    type Variant = Fields;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Fields), Error> {
        let name: StrDeserializer<Error> = self.variant.as_str().into_deserializer();
        Ok((seed.deserialize(name)?, Fields(self.fields)))
    }
}

/// The fields of a variant.
struct Fields(Map<String, Value>);

impl<'de> VariantAccess<'de> for Fields {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self.0)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, _visitor: V) -> Result<V::Value, Error> {
        Err(Error::custom("a table cannot be read as a list"))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.deserialize_any(visitor)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    macro_rules! command {
        ($name:ident, $($tag:tt)*) => {
            #[derive(Debug, PartialEq, Deserialize)]
            #[serde($($tag)* rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
            enum $name {
                Stop,
                #[serde(rename = "go")]
                Move { how_far: f32, times: Option<u8>, #[serde(default)] places: Vec<[u8; 2]> },
            }
        };
    }
    command!(Command,);
    command!(ByAttribute, tag = "type",);

    /// Both enums print alike.
    #[test]
    fn command_is_read_as_by_the_attribute_of_serde() {
        let values = [
            json!({"type": "stop"}),
            json!({"type": "stop", "unknown": 1}),
            json!({"type": "go", "howFar": 1}),
            json!({"howFar": 1.5, "times": 3, "type": "go", "places": [[1, 2]]}),
            json!({"howFar": 1.5}),
            json!({"type": "fly"}),
            json!({"type": "go"}),
            json!({"type": "go", "howFar": "far"}),
            json!({"type": "go", "howFar": 1, "times": 256}),
            json!({"type": "go", "howFar": 1, "times": -1}),
            json!({"type": "go", "howFar": 1, "other": 2}),
            json!({"type": "go", "howFar": 1, "places": [[1]]}),
        ];
        for value in values {
            let read =
                from_tagged::<Command>(value.clone()).map(|c| format!("{c:?}")).map_err(|e| e.to_string());
            let wanted = serde_json::from_value::<ByAttribute>(value.clone());
            assert_eq!(read, wanted.map(|c| format!("{c:?}")).map_err(|e| e.to_string()), "{value}");
        }
        for value in [json!([1]), json!("stop"), json!({"type": 3})] {
            assert!(from_tagged::<Command>(value).is_err());
        }
    }
}
