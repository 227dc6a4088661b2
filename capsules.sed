s/^      name: crank$/&\n      shapes: [{shape: capsule, from: [0, 0, 0], to: [0.2, 0, 0], radius: 5 mm}]/
s/^      name: coupler$/&\n      shapes: [{shape: capsule, from: [0, 0, 0], to: [1, 0, 0], radius: 5 mm}]/
s/^      name: rocker$/&\n      shapes: [{shape: capsule, from: [0, 0, 0], to: [0.5, 0, 0], radius: 5 mm}]/
