// serve_drawing.js
