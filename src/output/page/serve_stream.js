// serve_stream.js
