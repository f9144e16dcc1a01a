"""The ideas of Number Circle Duel."""

from duelbox.solve.api import Idea

PARTNERS = Idea(
    "partners",
    "Where free numbers go in pairs, whoever answers each pick with its partner wins.",
    "Can you pair up the free numbers, each with a neighbour? Who answers whom?",
)
ODD_ONE_OUT = Idea(
    "odd one out",
    "Pick a number that can stay single: then all the others are left with partners for you.",
    "Pair up the free numbers, each with a neighbour. Which one can stay single?",
)
ROOM = Idea(
    "room",
    "Count the picks in a row that each has where they get first: stay ahead.",
    "Which numbers do you get to first, which does your opponent? How many picks in a row has each of you there?",
)
BOTH_NEED = Idea(
    "the number both need",
    "Where your picks leave the same room, take the number that both need.",
    "Which numbers could both of you pick next?",
)
SHUT_IN = Idea(
    "shut in",
    "Whoever has no free number next to their last one loses.",
    "Which free numbers could your opponent reach after each of your picks?",
)
IDEAS = (PARTNERS, ODD_ONE_OUT, ROOM, BOTH_NEED, SHUT_IN)
