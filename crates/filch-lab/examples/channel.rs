//! Asynchronous code at both ends of a pipeline: numbers come by a channel, are factorised in parallel, and go by
//! another channel, in order.
//!
//! ```text
//! cargo run --release -p filch-lab --example channel
//! ```
//!
//! Both channels are bounded, and so is the pipeline. A slow consumer makes the producer wait, and no thread of the
//! asynchronous runtime does.

use async_channel::{Receiver, Sender, bounded};

fn factors(mut n: u64) -> Vec<u64> {
    let mut factors = Vec::new();
    let mut divisor = 2;
    while divisor * divisor <= n {
        while n.is_multiple_of(divisor) {
            factors.push(divisor);
            n /= divisor;
        }
        divisor += 1;
    }
    factors.extend((n > 1).then_some(n));
    factors
}

/// Factorises what comes, on the workers of the pool, until either channel is closed.
fn factorise(numbers: Receiver<u64>, results: Sender<(u64, Vec<u64>)>) {
    let source = std::iter::from_fn(move || numbers.recv_blocking().ok());
    let closed = filch::pipeline(source)
        .capacity(64)
        .parallel(|n| (n, factors(n)))
        .try_serial_in_order(|result| results.send_blocking(result))
        .try_run();
    if let Err(error) = closed {
        println!("nobody listens any more: {error}");
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let (send, numbers) = bounded(16);
    let (results, receive) = bounded(16);
    let pipeline = filch::submit(move |_| factorise(numbers, results));
    let producer = tokio::spawn(async move {
        for n in 1_000_000_000_000_u64.. {
            if send.send(n).await.is_err() {
                break;
            }
        }
    });
    for expected in 1_000_000_000_000_u64..1_000_000_000_020 {
        let (n, factors) = receive.recv().await.expect("the pipeline goes on while somebody listens");
        assert_eq!((n, factors.iter().product()), (expected, expected));
        println!("{n} = {}", factors.iter().map(u64::to_string).collect::<Vec<_>>().join(" · "));
    }
    // This ends the pipeline by an error of its last stage, and that the producer.
    drop(receive);
    pipeline.await;
    producer.await.expect("the producer does not panic");
}
