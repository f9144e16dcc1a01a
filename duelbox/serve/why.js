// Says why a line has ended without a reason: a browser tells a page nothing about a line that was refused.

function whyCut(opened) {
  if (opened) {
    return "The line to duelbox was cut. Every game is kept.";
  }
  // The server writes the address it was asked at into the page.
  if (document.body.dataset.host !== location.host) {
    return (
      "The server in between does not pass on the address of this page. " +
      "Whoever runs that server can read: duelbox help visitors"
    );
  }
  return "The line to duelbox does not open. Perhaps a server in between passes on no websockets.";
}
