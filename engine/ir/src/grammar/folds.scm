[(region) (resources)] @fold
