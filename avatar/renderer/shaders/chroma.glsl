// U and V planes, four pixels a fragment, top row first: each the mean of two by two pixels.

#ifdef VERTEX
in vec2 corner;  // pixels from the top left
uniform vec2 scale;
void main() { gl_Position = vec4(corner * scale - 1.0, 0.0, 1.0); }
#else
uniform sampler2D frame;  // filtered linearly
uniform ivec2 last;
uniform vec2 step_size;
layout(location = 0) out vec4 blue;
layout(location = 1) out vec4 red;

vec2 at(int column, int row) {
    return texture(frame, vec2(column + 1, row + 1) * step_size).gb;
}

void main() {
    int column = 8 * int(gl_FragCoord.x), row = last.y - 1 - 2 * int(gl_FragCoord.y);
    vec2 a = at(column, row), b = at(column + 2, row), c = at(column + 4, row), d = at(column + 6, row);
    blue = vec4(a.x, b.x, c.x, d.x);
    red = vec4(a.y, b.y, c.y, d.y);
}
#endif
