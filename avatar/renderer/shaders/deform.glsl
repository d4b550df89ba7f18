// Vertex stage: face coefficients, then linear blend skinning. Only `Session` changes per frame.

layout(std140) uniform Session {
    vec4 joints[312];  // three rows of a 3x4 matrix per joint
    vec4 face[52];     // coefficient in x
    mat4 view;
    vec4 camera;       // position in xyz
};

in vec3 position;
in vec3 normal;
in vec4 baked;
in uvec4 bones;
in vec4 weights;
#ifdef MORPH
in ivec2 morphs;
uniform sampler2D table;
#endif

vec4 row_x, row_y, row_z;

void follow(uint bone, float weight) {
    int first = 3 * int(bone);
    row_x += weight * joints[first];
    row_y += weight * joints[first + 1];
    row_z += weight * joints[first + 2];
}

vec3 moved(vec3 p) {
    vec4 h = vec4(p, 1.0);
    return vec3(dot(row_x, h), dot(row_y, h), dot(row_z, h));
}

vec3 turned(vec3 v) {
    return vec3(dot(row_x.xyz, v), dot(row_y.xyz, v), dot(row_z.xyz, v));
}

void deform(out vec3 p, out vec3 n) {
    row_x = row_y = row_z = vec4(0.0);
#if INFLUENCES == 1
    follow(bones.x, 1.0);
#else
    follow(bones.x, weights.x);
    follow(bones.y, weights.y);
    follow(bones.z, weights.z);
    follow(bones.w, weights.w);
#endif
    p = position;
    n = normal;
#ifdef MORPH
    for (int i = morphs.x; i < morphs.x + morphs.y; i++) {
        ivec2 at = ivec2(2 * (i % TABLE_COLUMNS), i / TABLE_COLUMNS);
        vec4 delta = texelFetch(table, at, 0);
        float weight = face[int(delta.w)].x;
        p += weight * delta.xyz;
        n += weight * texelFetch(table, at + ivec2(1, 0), 0).xyz;
    }
#endif
    p = moved(p);
    n = normalize(turned(n));
    gl_Position = view * vec4(p, 1.0);
}
