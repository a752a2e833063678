# In place of a test in tests/node, where it cannot run.
. tests/expect.bash
needs "node with the packages of tests/node" "nodejs"
