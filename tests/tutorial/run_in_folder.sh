#!/bin/sh
# run_in_folder.sh FOLDER PROGRAM: the tutorial's test looks for its data in the root of its workspace.
cd "$1" && exec "./$2"
