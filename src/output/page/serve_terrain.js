// serve_terrain.js
