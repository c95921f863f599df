//! Many posts of one quote at the same moment, against the program with a database file.

use std::collections::HashSet;
use std::sync::Barrier;

use serde_json::Value;

use super::program::{Folder, Program, Shop, shop};

const POSTS: usize = 64;

/// Posts all bodies at once.
fn race(shop: &Shop, bodies: &[Value]) -> Vec<(u16, Value)> {
    let start = Barrier::new(bodies.len());
    std::thread::scope(|scope| {
        let posts: Vec<_> = bodies
            .iter()
            .map(|body| {
                scope.spawn(|| {
                    start.wait();
                    shop.post(body).expect("the connection broke")
                })
            })
            .collect();
        posts.into_iter().map(|post| post.join().unwrap()).collect()
    })
}

#[test]
fn sixty_four_posts_of_one_quote_make_one_transfer() {
    let folder = Folder::new("races");
    let program = Program::start(&["--db", &folder.database(), "--seed", "5"]);
    let shop = shop(&program);
    let mut made = HashSet::new();
    // Without a nonce, with one, with one each.
    for nonces in [0, 1, POSTS, 0, 1, POSTS] {
        let nonces: Vec<Value> = (0..nonces).map(|_| shop.nonce().unwrap()).collect();
        let body = shop.body(2_000).unwrap();
        let bodies: Vec<Value> = (0..POSTS)
            .map(|number| {
                let mut body = body.clone();
                if let Some(nonce) = nonces.get(number % nonces.len().max(1)) {
                    body["nonce"] = nonce.clone();
                }
                body
            })
            .collect();
        let mut successes = Vec::new();
        for (status, reply) in race(&shop, &bodies) {
            match status {
                200 => successes.push(reply["transferId"].as_str().unwrap().to_owned()),
                _ => {
                    assert_eq!((status, &reply[0]["code"]), (400, &Value::from("TransferDuplicatedByQuote")))
                }
            }
        }
        assert_eq!(successes.len(), 1);
        made.extend(successes);
    }
    let rows = folder.rows();
    let recorded: HashSet<String> = rows.iter().map(|row| row.transfer_id.clone()).collect();
    assert_eq!((rows.len(), recorded), (6, made));
}

#[test]
fn sixty_four_posts_with_one_nonce_make_one_transfer() {
    let folder = Folder::new("nonce-races");
    let program = Program::start(&["--db", &folder.database(), "--seed", "5"]);
    let shop = shop(&program);
    let nonce = shop.nonce().unwrap();
    let bodies: Vec<Value> = (0..POSTS)
        .map(|_| {
            let mut body = shop.body(2_000).unwrap();
            body["nonce"] = nonce.clone();
            body
        })
        .collect();
    let replies = race(&shop, &bodies);
    let (made, refused): (Vec<_>, Vec<_>) = replies.iter().partition(|(status, _)| *status == 200);
    assert_eq!(made.len(), 1);
    for (status, reply) in refused {
        assert_eq!((*status, &reply[0]["code"]), (400, &Value::from("NonceAlreadyUsed")));
    }
    assert_eq!(folder.rows().len(), 1);
}
