#!/bin/sh
# An agent for ludens as a shell script: it plays its first legal move. See docs/protocol.md.
#
# ludens arena azul "cmd:sh docs/examples/first_move.sh" random
#
# It relies on what the protocol promises about the form of a line: no blanks, the type first.
while read -r line; do
    case $line in
    '{"type":"hello"'*)
        echo '{"type":"hello","protocol":1,"name":"first move in sh"}'
        ;;
    '{"type":"view"'*)
        rest=${line#*'"moves":[{"action":'}
        echo "{\"type\":\"move\",\"action\":${rest%%,*}}"
        ;;
    '{"type":"bye"'*)
        exit
        ;;
    esac
done
