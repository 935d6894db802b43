//! The interface of the page: requests to `class/api/NAME` with JSON bodies (`messages.rs`), which are
//! answered with JSON. Each request, except `join`, has a token in a header: a pupil's tab the one that it
//! got when it joined, the teacher's page the one of its link. A page of another site cannot send this
//! header.

use std::net::IpAddr;
use std::sync::Mutex;
use std::time::Instant;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::class::Class;
use crate::http::{Method, Request, Response};
use crate::lock;
use crate::messages::{Answer, LessonAnswers, Progress, Refused, ResultCode, Task};
use crate::rate::{Buckets, Rate};
use crate::secrets::new_token;

/// The paths of the interface begin with this.
const PREFIX: &str = "/class/api/";
/// The limit of requests with one token: a pupil's tab, or the teacher's page.
const TOKEN_RATE: Rate = Rate { burst: 20.0, per_second: 4.0 };
/// The limit of requests from one address. Behind a proxy all tabs of a class may have the same one.
const ADDRESS_RATE: Rate = Rate { burst: 400.0, per_second: 200.0 };
/// The limit of wrong codes and tokens from one address, against guessing.
const WRONG_RATE: Rate = Rate { burst: 60.0, per_second: 1.0 };

/// The limit of joins from one address: a class behind one router at once, and one in two seconds afterwards.
const JOIN_RATE: Rate = Rate { burst: 40.0, per_second: 0.5 };

/// The interface of a class, shared by all connections.
pub struct Api {
    class: Mutex<Class>,
    // Token buckets of the limits above.
    of_token: Mutex<Buckets<String>>,
    of_address: Mutex<Buckets<IpAddr>>,
    wrong: Mutex<Buckets<IpAddr>>,
    joins: Mutex<Buckets<IpAddr>>,
}

/// The body with which a pupil joins: the code of the class, and a name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Join {
    code: String,
    name: String,
}

/// The body with which the teacher's page removes a pupil.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Remove {
    seat: u32,
}

/// A refusal: its HTTP status, and the sentence that says why.
type Failure = (u16, Refused);

impl Api {
    pub fn new(class: Class) -> Self {
        Self {
            class: Mutex::new(class),
            of_token: Mutex::new(Buckets::new(TOKEN_RATE)),
            of_address: Mutex::new(Buckets::new(ADDRESS_RATE)),
            wrong: Mutex::new(Buckets::new(WRONG_RATE)),
            joins: Mutex::new(Buckets::new(JOIN_RATE)),
        }
    }

    /// The answer to a request for the interface; `None` for other paths.
    pub fn answer(&self, request: &Request, address: IpAddr, now: Instant) -> Option<Response> {
        let name = request.path.strip_prefix(PREFIX)?;
        let answer = self.answer_to(name, request, address, now);
        Some(match answer {
            Ok(value) => Response::json(200, &value),
            Err((status, problem)) => Response::json(status, &json!({ "problem": problem })),
        })
    }

    /// The answer to the request with this name (the last part of its path). The checks stand in this order:
    /// limit of the address, method and type, token, limit of the token; then the class takes the body.
    fn answer_to(&self, name: &str, request: &Request, from: IpAddr, now: Instant) -> Result<Value, Failure> {
        const TOO_MANY: Failure = (429, "There are too many requests. Wait a moment.");
        if !lock(&self.of_address).take(from, now) {
            return Err(TOO_MANY);
        }
        let expected = if name == "state" { Method::Get } else { Method::Post };
        if request.method != expected {
            return Err((405, "This method is not allowed."));
        }
        if expected == Method::Post && !request.is_json {
            return Err((415, "The body has to be JSON."));
        }
        if name == "join" {
            return self.join(request, from, now);
        }
        let token = request.token.as_deref().unwrap_or_default();
        let is_teacher = token == lock(&self.class).teacher;
        if !is_teacher && !lock(&self.class).sees(token, now) {
            let may_try = lock(&self.wrong).take(from, now);
            return Err(if may_try {
                (401, "The class does not know this tab. Join again.")
            } else {
                TOO_MANY
            });
        }
        // A tab that is being closed cannot say later that it leaves, so this request is not limited.
        if name != "leave" && !lock(&self.of_token).take(token.to_owned(), now) {
            return Err(TOO_MANY);
        }
        let mut class = lock(&self.class);
        let refused = |problem| (400, problem);
        match (name, is_teacher) {
            ("state", true) => return Ok(class.state(now)),
            ("task", true) => class.open(read::<Task>(request)?).map_err(refused)?,
            ("remove", true) => class.remove(read::<Remove>(request)?.seat),
            ("progress", false) => class.progress(token, read::<Progress>(request)?).map_err(refused)?,
            ("result", false) => class.result(token, read::<ResultCode>(request)?).map_err(refused)?,
            ("answer", false) => class.answer(token, read::<Answer>(request)?).map_err(refused)?,
            ("lesson", false) => {
                class.hand_in_lesson(token, read::<LessonAnswers>(request)?).map_err(refused)?;
            }
            ("leave", false) => class.leave(token, now),
            ("here", false) => {}
            _ => return Err((404, "There is no such thing.")),
        }
        Ok(if is_teacher { class.standing() } else { class.standing_of(token) })
    }

    /// Adds a pupil, if the code is right.
    fn join(&self, request: &Request, from: IpAddr, now: Instant) -> Result<Value, Failure> {
        let join = read::<Join>(request)?;
        let mut class = lock(&self.class);
        if !join.code.trim().eq_ignore_ascii_case(&class.code) {
            let may_try = lock(&self.wrong).take(from, now);
            return Err(if may_try {
                (403, "This is not the code of the class.")
            } else {
                (429, "There were too many wrong codes. Wait a moment.")
            });
        }
        if !lock(&self.joins).take(from, now) {
            return Err((429, "Many join at this moment. Wait a few seconds, and try again."));
        }
        class.join(&join.name, new_token(), now).map_err(|problem| (409, problem))
    }
}

/// Reads the body of a request.
fn read<T: DeserializeOwned>(request: &Request) -> Result<T, Failure> {
    serde_json::from_slice(&request.body).map_err(|_| (400, "The body is not what is expected."))
}
