// A picture behind the figure, part of which fills the frame: its texture is Y'CbCr already.

#ifdef VERTEX
in vec2 corner;
uniform vec4 part;  // left, bottom, right, top of the texture
out vec2 uv;
void main() {
    uv = mix(part.xy, part.zw, corner * 0.5 + 0.5);
    gl_Position = vec4(corner, 0.0, 1.0);
}
#else
uniform sampler2D plate;
in vec2 uv;
out vec4 colour;
void main() {
#ifdef PARTS
    colour = vec4(ycbcr(PART_COLOUR), 0.0);
#else
    colour = vec4(texture(plate, uv).rgb, 0.0);
#endif
}
#endif
