// Table page of the static edition: its socket leads to a worker in the browser, which runs the server.
import "./worker_socket.js";
import "../js/table.js";
