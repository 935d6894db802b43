// Says in a sentence that the page cannot start. It is a file of its own and no module, so that it works where the
// page's modules do not arrive, throw, or use what an old browser does not know. For old browsers it is written in the
// JavaScript of 2009 (ES5). Once the page shows anything but its first text (`.first` in index.html),
// www/ui/unexpected.ts reports failures.

(function () {
  "use strict";

  var TEXT =
    "One of its files could not be loaded, or this browser cannot run it. Check the connection and reload the page. " +
    "If that does not help, update the browser or use another one.";

  function show(message) {
    if (document.readyState === "loading") {
      document.addEventListener("DOMContentLoaded", function () {
        show(message);
      });
      return;
    }
    var first = document.querySelector("#main .first");
    if (!first) return;
    var card = document.createElement("div");
    card.className = "card failure";
    card.setAttribute("role", "alert");
    add(card, "h2", "The page could not start");
    add(card, "p", TEXT);
    var reload = add(add(card, "p", ""), "button", "Reload the page");
    reload.type = "button";
    reload.className = "button";
    reload.onclick = function () {
      location.reload();
    };
    var details = add(card, "details", "");
    add(details, "summary", "Error message");
    add(details, "pre", message);
    first.parentNode.textContent = "";
    document.getElementById("main").appendChild(card);
  }

  function add(parent, tag, text) {
    var node = document.createElement(tag);
    node.textContent = text;
    parent.appendChild(node);
    return node;
  }

  function onError(event) {
    var source = event.target;
    if (source && source.tagName === "SCRIPT") show("This file could not be loaded: " + source.src);
    else if (event.message) show(event.message);
  }

  // With `true` in the capturing phase: the event of a script that does not arrive does not bubble.
  addEventListener("error", onError, true);
  addEventListener("unhandledrejection", function (event) {
    show(String(event.reason));
  });
})();
