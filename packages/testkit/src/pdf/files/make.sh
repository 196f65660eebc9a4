#!/usr/bin/env bash
# Writes the PDF files of this folder again from their sources, with the programs whose output they stand for.
set -e
cd "$(dirname "$0")"
chromium --headless --no-sandbox --no-pdf-header-footer --print-to-pdf=chromium.pdf chromium.html
rsvg-convert -f pdf -o cairo.pdf cairo.svg
