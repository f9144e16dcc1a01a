PRAGMA application_id = 1685415276;
PRAGMA user_version = 3;
BEGIN TRANSACTION;
CREATE TABLE lease (
        id TEXT NOT NULL PRIMARY KEY, instance TEXT NOT NULL, process INTEGER NOT NULL, beat REAL NOT NULL
    ) WITHOUT ROWID;
CREATE TABLE match (
        seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, sum TEXT NOT NULL, game TEXT NOT NULL, pair TEXT NOT NULL,
        result TEXT, results TEXT NOT NULL, listed INTEGER NOT NULL,
        summary TEXT NOT NULL, record TEXT NOT NULL, undone TEXT NOT NULL
    );
INSERT INTO "match" VALUES(1,'epzda2y2x6','3646a56ece747d78','circle-duel','["Ann", null, "Computer", "easy"]',NULL,'',1,'{"id":"epzda2y2x6","game":"circle-duel","players":[{"name":"Ann","level":null},{"name":"Computer","level":"easy"}],"rounds":1,"first":0,"started":"2026-11-20T01:38:41.353000Z","last_played":"2026-11-20T01:38:41.353000Z","moves":2,"finished":[],"deleted":false,"imported":false,"open_elsewhere":false}','{
 "duelbox": 1,
 "game": "circle-duel",
 "players": [
  {
   "name": "Ann",
   "level": null
  },
  {
   "name": "Computer",
   "level": "easy"
  }
 ],
 "rounds": 1,
 "first": 1,
 "played": [
  {
   "options": {
    "size": 10,
    "reach": 1,
    "trails": "shared",
    "gaps": 0,
    "seed": 0,
    "without": []
   },
   "moves": [
    "4",
    "5"
   ],
   "result": null,
   "started": "2026-11-20T01:38:41.353000Z",
   "ended": null,
   "assisted": true
  }
 ]
}','[["6"]]');
INSERT INTO "match" VALUES(3,'aymtfpgca9','5b9fd55634808072','circle-duel','["Ann", null, "Zoë 漢", null]','drawn','1lw',1,'{"id":"aymtfpgca9","game":"circle-duel","players":[{"name":"Ann","level":null},{"name":"Zoë 漢","level":null}],"rounds":2,"first":1,"started":"2026-11-20T01:38:41.361000Z","last_played":"2026-11-20T01:38:41.374000Z","moves":2,"finished":[{"winner":1,"ended":"2026-11-20T01:38:41.361000Z","assisted":false},{"winner":0,"ended":"2026-11-20T01:38:41.374000Z","assisted":false}],"deleted":false,"imported":false,"open_elsewhere":false}','{
 "duelbox": 1,
 "game": "circle-duel",
 "players": [
  {
   "name": "Ann",
   "level": null
  },
  {
   "name": "Zoë 漢",
   "level": null
  }
 ],
 "rounds": 2,
 "first": 2,
 "played": [
  {
   "options": {
    "size": 10,
    "reach": 1,
    "trails": "shared",
    "gaps": 0,
    "seed": 0,
    "without": []
   },
   "moves": [
    "4"
   ],
   "result": {
    "winner": 2,
    "by": "resignation",
    "reason": "Player 2 resigned."
   },
   "started": "2026-11-20T01:38:41.361000Z",
   "ended": "2026-11-20T01:38:41.361000Z",
   "assisted": false
  },
  {
   "options": {
    "size": 10,
    "reach": 1,
    "trails": "shared",
    "gaps": 0,
    "seed": 0,
    "without": []
   },
   "moves": [
    "4"
   ],
   "result": {
    "winner": 1,
    "by": "resignation",
    "reason": "Player 2 resigned."
   },
   "started": "2026-11-20T01:38:41.374000Z",
   "ended": "2026-11-20T01:38:41.374000Z",
   "assisted": false
  }
 ]
}','[[], []]');
INSERT INTO "match" VALUES(4,'nevmfpjmb3','23c17e2a637a9be4','number-duel','["Player 1", null, "Player 2", null]',NULL,'',0,'{"id":"nevmfpjmb3","game":"number-duel","players":[{"name":"Player 1","level":null},{"name":"Player 2","level":null}],"rounds":1,"first":0,"started":"2026-11-20T01:38:41.395000Z","last_played":"2026-11-20T01:38:41.395000Z","moves":1,"finished":[],"deleted":true,"imported":true,"open_elsewhere":false}','{
 "duelbox": 1,
 "game": "number-duel",
 "players": [
  {
   "name": "Player 1",
   "level": null
  },
  {
   "name": "Player 2",
   "level": null
  }
 ],
 "rounds": 1,
 "first": 1,
 "played": [
  {
   "options": {
    "hand": 5,
    "arrange": "shuffled",
    "victors_stay": false,
    "deal": [],
    "seed": 0
   },
   "moves": [
    "3x2"
   ],
   "result": null,
   "started": "2026-11-20T01:38:41.395000Z",
   "ended": null,
   "assisted": false
  }
 ]
}','[[]]');
CREATE TABLE progress (
        seq INTEGER PRIMARY KEY, sum TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL, json TEXT NOT NULL
    );
INSERT INTO "progress" VALUES(1,'234d2cf492273da8','lesson','circle-duel/1',1795138721410,'{"done": [1, 2]}');
CREATE INDEX match_short ON match (game, pair, seq, results, result, listed);
CREATE INDEX match_unfinished ON match (seq) WHERE listed AND result IS NULL;
CREATE INDEX progress_key ON progress (kind, key);
COMMIT;
