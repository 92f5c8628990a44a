// Operations of a scheme of homomorphic encryption, with costs and backends.
class Backend<string name_, int maxDepth_> {
  string name = name_;
  int maxDepth = maxDepth_;
}
def OpenFHE : Backend<"openfhe", 20>;
def Lattigo : Backend<"lattigo", 16>;
def TFHE : Backend<"tfhe_rust", 0>;

class SecretOp<string name_, int cost_, int depth_ = 0> {
  string name = name_;
  int cost = cost_;
  int depth = depth_;
  list<Backend> backends = [OpenFHE, Lattigo];
  bit commutes = 0;
  bit needsKey = 0;
}
def Add : SecretOp<"add", 1> { let commutes = 1; }
def Sub : SecretOp<"sub", 1>;
def Mul : SecretOp<"mul", 50, 1> { let commutes = 1; let needsKey = 1; }
def Rotate : SecretOp<"rotate", 30> { let needsKey = 1; }
def Bootstrap : SecretOp<"bootstrap", 5000> { let backends = [OpenFHE]; let needsKey = 1; }
def Lut3 : SecretOp<"lut3", 200> { let backends = [TFHE]; }
