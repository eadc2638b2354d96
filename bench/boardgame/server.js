// boardgame.io as its manual sets it up: matches in memory, a game in which two players take turns at one move.
const { Server } = require('boardgame.io/server');

const bench = {
  name: 'bench',
  setup: () => ({ moves: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    move: ({ G }) => {
      G.moves += 1;
    },
  },
};

const server = Server({ games: [bench], origins: ['http://127.0.0.1'] });
server.run({ port: Number(process.argv[2]), callback: () => console.log('ready') });
