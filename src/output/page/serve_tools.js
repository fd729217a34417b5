// serve_tools.js
