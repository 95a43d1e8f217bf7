# Puts the page of 'unroll compare' together: cmake -D web=... -D script=... -D template=... -D header=... -P compare_page.cmake
file(READ ${web}/page.html COMPARE_TEMPLATE)
file(READ ${web}/style.css style)
file(READ ${script} code)
string(REPLACE "/* style.css goes here */" "${style}" COMPARE_TEMPLATE "${COMPARE_TEMPLATE}")
string(REPLACE "/* the bundle of src/main.ts goes here */" "${code}" COMPARE_TEMPLATE "${COMPARE_TEMPLATE}")
configure_file(${template} ${header} @ONLY)
