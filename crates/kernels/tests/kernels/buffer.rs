//! Buffers are aligned to cache lines.

use learnery_kernels::buffer::Buffer;

#[test]
fn buffer_is_aligned_to_a_cache_line_and_stores_its_values() {
    for len in [0, 1, 15, 16, 17, 1000] {
        let mut buffer = Buffer::new(len);
        assert!(buffer.len() == len && buffer.iter().all(|v| *v == 0.0));
        assert_eq!(buffer.as_ptr() as usize % 64, 0);
        buffer.iter_mut().enumerate().for_each(|(i, v)| *v = i as f32);
        let values: Vec<f32> = (0..len).map(|i| i as f32).collect();
        assert_eq!(*buffer, values[..]);
        assert!(buffer == buffer.clone() && buffer == Buffer::from(&values[..]));
    }
}
