// serve_compare.js
