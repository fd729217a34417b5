// serve_main.js
