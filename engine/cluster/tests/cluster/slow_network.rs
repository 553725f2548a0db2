//! A slow network: everything between two ends of a connection comes late, some of it later, and nothing while it is parted.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

/// The time of each way.
const LATENCY: Duration = Duration::from_millis(50);
/// One in this many packets is lost, and comes when it is sent again.
const LOSSES: u64 = 100;
const SENT_AGAIN: Duration = Duration::from_millis(200);
/// About as many bytes as a packet has.
const PACKET: usize = 1400;

/// A way to a server through a slow network. It ends with the value.
pub(crate) struct SlowNetwork {
    _runtime: Runtime,
    port: u16,
    is_parted: Arc<watch::Sender<bool>>,
}

impl SlowNetwork {
    /// A network between a free port of the loopback and this one.
    pub(crate) fn to(server: u16) -> SlowNetwork {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let port = listener.local_addr().unwrap().port();
        let is_parted = Arc::new(watch::channel(false).0);
        let parted = Arc::clone(&is_parted);
        runtime.spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(connection(near, SocketAddr::from(([127, 0, 0, 1], server)), parted.subscribe()));
            }
        });
        SlowNetwork { _runtime: runtime, port, is_parted }
    }

    /// The address of the near end.
    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// From now on nothing comes through, or all that has waited.
    pub(crate) fn part(&self, is_parted: bool) {
        self.is_parted.send_replace(is_parted);
    }
}

async fn connection(near: TcpStream, server: SocketAddr, parted: watch::Receiver<bool>) -> io::Result<()> {
    let far = TcpStream::connect(server).await?;
    near.set_nodelay(true)?;
    far.set_nodelay(true)?;
    let ((near_read, near_write), (far_read, far_write)) = (near.into_split(), far.into_split());
    let there = carry(near_read, far_write, parted.clone());
    let back = carry(far_read, near_write, parted);
    // When one way ends, so does the other.
    tokio::select! {
        done = there => done,
        done = back => done,
    }
}

/// Carries bytes one way.
async fn carry(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut parted: watch::Receiver<bool>) -> io::Result<()> {
    let (sender, mut receiver) = mpsc::channel::<(Instant, Vec<u8>)>(1000);
    let reading = async move {
        let mut packets: u64 = 0;
        let mut packet = vec![0; PACKET];
        loop {
            let read = from.read(&mut packet).await?;
            if read == 0 {
                return Ok(());
            }
            packets += 1;
            let late = if packets % LOSSES == LOSSES / 2 { SENT_AGAIN } else { Duration::ZERO };
            if sender.send((Instant::now() + LATENCY + late, packet[..read].to_vec())).await.is_err() {
                return Ok(());
            }
        }
    };
    let writing = async move {
        // In their order: what comes behind a lost packet waits for it.
        while let Some((at, packet)) = receiver.recv().await {
            tokio::time::sleep_until(at).await;
            if parted.wait_for(|is_parted| !is_parted).await.is_err() {
                return Ok(());
            }
            to.write_all(&packet).await?;
        }
        Ok(())
    };
    let (read, written): (io::Result<()>, io::Result<()>) = tokio::join!(reading, writing);
    read.and(written)
}
