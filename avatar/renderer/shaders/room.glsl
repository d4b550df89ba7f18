// A room whose light is in its vertices, as Y'CbCr already.

#ifdef VERTEX
in vec3 position;
in vec4 shade;
uniform mat4 view;
uniform vec4 window;  // left, bottom, right, top of what is painted; the frame is -1 to 1
uniform vec2 focus;  // metres from the camera that are sharp, and how much further are not at all
out vec4 ycc;
void main() {
    vec4 at = view * vec4(position, 1.0);
    vec2 middle = 0.5 * (window.xy + window.zw), half_size = 0.5 * (window.zw - window.xy);
    at.xy = (at.xy - middle * at.w) / half_size;
    ycc = vec4(shade.rgb, clamp((at.w - focus.x) / focus.y, 0.0, 1.0));
    gl_Position = at;
}
#else
in vec4 ycc;
out vec4 colour;
void main() {
#ifdef PARTS
    colour = vec4(ycbcr(PART_COLOUR), 0.0);
#else
    colour = ycc;
#endif
}
#endif
