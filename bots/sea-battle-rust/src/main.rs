//! The web service: `sea-battle-rust [PORT]`. Without a port it takes that of the variable PORT, without that 4000; 0 is
//! any that is free.

use axum::Router;
use axum::body::Bytes;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::env;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::net::Ipv4Addr;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port = env::args().nth(1).or_else(|| env::var("PORT").ok()).unwrap_or_else(|| "4000".to_owned());
    let port: u16 = port.parse().map_err(|_| format!("{port:?} is not a port"))?;
    tokio::runtime::Builder::new_current_thread().enable_io().build()?.block_on(async {
        // Only this machine can call it; 0.0.0.0 would let others do so.
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        writeln!(std::io::stdout(), "listening on http://{}", listener.local_addr()?)?;
        // Also below a path, as in http://host/api/move.
        axum::serve(listener, Router::new().route("/{*path}", post(answer))).await?;
        Ok(())
    })
}

async fn answer(Path(path): Path<String>, body: Bytes) -> Response {
    let asked = path.rsplit('/').next().unwrap_or_default();
    match sea_battle_rust::answer(asked, &body, &mut dice(&body)) {
        Ok(answer) => ([(header::CONTENT_TYPE, "application/json")], answer).into_response(),
        Err(why) => (StatusCode::BAD_REQUEST, format!("{why}\n")).into_response(),
    }
}

/// Random numbers: the same for the same request if BROADSIDE_SEED is set, else always new ones.
fn dice(body: &[u8]) -> StdRng {
    match env::var("BROADSIDE_SEED") {
        Ok(seed) => {
            let mut hasher = DefaultHasher::new();
            (seed, body).hash(&mut hasher);
            StdRng::seed_from_u64(hasher.finish())
        }
        Err(_) => StdRng::from_rng(&mut rand::rng()),
    }
}
