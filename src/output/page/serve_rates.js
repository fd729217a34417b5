// serve_rates.js
