// Vertex stage: face coefficients, then linear blend skinning. Only `Session` changes per frame.

layout(std140) uniform Session {
    vec4 joints[312];  // three rows of a 3x4 matrix per joint
    vec4 face[52];     // coefficient in x
    mat4 view;
    vec4 camera;       // position in xyz
    vec4 arms[8];      // four capsules seen along the key light: see `blocks.arms`
};

in vec3 position;
in vec3 normal;
in vec4 light_baked;  // ambient, key, and two values of the material
in uvec4 bones;
in vec4 weights;
#ifdef MORPH
in ivec2 morphs;
uniform sampler2D table;
#endif

vec4 row_x, row_y, row_z;
vec4 baked;  // as it came, with the key light that the arms let through; set by `deform`

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

// The share of the key light, 0 to 1, that forearms and hands let through to p. What is baked is
// the light of the rest pose, where no arm is before the body. The shadow widens with distance as
// that of a lamp some 20 degrees wide; an arm throws none on itself.
float arm_shadow(vec3 p) {
    vec3 q = vec3(dot(p, KEY_ACROSS), dot(p, KEY_UP), dot(p, KEY));
    float passed = 1.0;
    for (int i = 0; i < 8; i += 2) {
        vec4 end = arms[i], way = arms[i + 1];
        float along = clamp(dot(q.xy - end.xy, way.xy) * way.w, 0.0, 1.0);
        vec3 away = end.xyz + along * way.xyz - q;
        float soft = 0.3 * end.w + 0.18 * max(away.z, 0.0);
        float cover = 1.0 - smoothstep(end.w - soft, end.w + soft, length(away.xy));
        passed *= 1.0 - 0.9 * cover * smoothstep(1.3 * end.w, 2.3 * end.w, away.z);
    }
    return passed;
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
    baked = light_baked;
    baked.y *= arm_shadow(p);
    gl_Position = view * vec4(p, 1.0);
}
