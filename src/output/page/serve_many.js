// serve_many.js
