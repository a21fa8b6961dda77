//! A web server on tokio whose handler computes with Filch: it awaits a task, so the timers of its one thread stay
//! punctual.
//!
//! ```text
//! cargo run --release -p filch-lab --example web -- [PORT]
//! ```
//!
//! `GET /fib/30` computes a Fibonacci number in parallel. Without a port, the example asks itself, and says how late
//! its timer was meanwhile.

use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

fn fib(mut s: filch::Strand<'_>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = s.join(|s| fib(s, n - 1), |s| fib(s, n - 2));
    a + b
}

/// Answers one request.
async fn answer(mut stream: TcpStream) -> std::io::Result<()> {
    let mut request = String::new();
    BufReader::new(&mut stream).read_line(&mut request).await?;
    let number = request.strip_prefix("GET /fib/").and_then(|rest| rest.split(' ').next()?.parse().ok());
    let (status, body) = match number {
        Some(n @ 0..=45) => {
            // This thread serves others meanwhile. If the client leaves and the handler is dropped, so is the task, if
            // it has not begun.
            let value = filch::submit(move |s| fib(s, n)).abort_on_drop().await;
            ("200 OK", value.to_string())
        }
        _ => ("404 Not Found", "GET /fib/N, for N up to 45".to_owned()),
    };
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await
}

async fn serve(listener: TcpListener) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(async move {
            if let Err(error) = answer(stream).await {
                eprintln!("a client has left: {error}");
            }
        });
    }
}

async fn get(port: u16, n: u64) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    stream.write_all(format!("GET /fib/{n} HTTP/1.1\r\n\r\n").as_bytes()).await?;
    let mut response = String::new();
    stream.read_to_string(&mut response).await?;
    Ok(response.rsplit("\r\n").next().unwrap_or_default().to_owned())
}

/// By how much a timer of this thread was late, at most, until it is aborted.
async fn lateness(worst: std::sync::Arc<std::sync::Mutex<Duration>>) {
    let period = Duration::from_millis(2);
    loop {
        let begin = Instant::now();
        tokio::time::sleep(period).await;
        let late = begin.elapsed().saturating_sub(period);
        let mut worst = worst.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *worst = late.max(*worst);
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port = std::env::args().nth(1).map(|port| port.parse()).transpose()?;
    let listener = TcpListener::bind(("127.0.0.1", port.unwrap_or(0))).await?;
    let address = listener.local_addr()?;
    if port.is_some() {
        println!("http://{address}/fib/30");
        serve(listener).await;
        return Ok(());
    }
    let server = tokio::spawn(serve(listener));
    let worst = std::sync::Arc::default();
    let timer = tokio::spawn(lateness(std::sync::Arc::clone(&worst)));
    let begin = Instant::now();
    let requests: Vec<_> = (20..32).map(|n| tokio::spawn(get(address.port(), n))).collect();
    for (n, request) in (20..32).zip(requests) {
        println!("fib({n}) = {}", request.await??);
    }
    timer.abort();
    server.abort();
    let worst = *worst.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    println!("{:.1?} for all; the timer was late by at most {worst:.1?}", begin.elapsed());
    Ok(())
}
