//! The code with which pupils join a class, and the tokens by which the server knows tabs. Both are random.

/// The characters of a class's code: no vowels, so that no code is a word, and no two characters that look
/// alike.
const CODE_CHARACTERS: &[u8] = b"23456789BCDFGHJKMNPQRSTVWXZ";
const CODE_LENGTH: usize = 4;

/// A random code for the class, which the teacher writes on the board.
pub fn new_code() -> String {
    let letter = |byte: u8| char::from(CODE_CHARACTERS[usize::from(byte) % CODE_CHARACTERS.len()]);
    random::<CODE_LENGTH>().into_iter().map(letter).collect()
}

/// A token that nobody can guess: 128 random bits.
pub fn new_token() -> String {
    random::<16>().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Random bytes of the operating system.
fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system has random numbers");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_tokens_are_drawn() {
        assert_eq!(new_code().len(), CODE_LENGTH);
        assert!(new_code().bytes().all(|byte| CODE_CHARACTERS.contains(&byte)));
        assert_eq!(new_token().len(), 32);
        assert_ne!(new_token(), new_token());
    }
}
