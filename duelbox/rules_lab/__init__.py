"""The Lab: facts about every setting of a game's house rules, by best play and by fixed players."""
