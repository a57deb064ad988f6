//! The network: from the ids of pieces to the vector of their text.
//!
//! Each piece has a row in a table. Three branches look at 2, 3 and 5 neighbouring pieces, and
//! twice add to a piece what its neighbours say. The sum over all pieces passes through four dense
//! layers.

use super::packed::{LoadError, Packed, Rest};
use super::{Vector, dot, sum};
use rten_gemm::{BiasVector, GemmExecutor, GemmInputA, GemmInputB, GemmOptions, PackedBMatrix};
use rten_tensor::Matrix;

/// The number of components of a [`Vector`].
pub const DIMENSIONS: usize = 512;

/// The number of components that a branch gives each piece.
const BRANCH: usize = 256;

/// For each branch: the number of neighbouring pieces, and how many of them are to the left.
const BRANCHES: [(usize, usize); 3] = [(2, 0), (3, 1), (5, 2)];

/// The number of rows of zeros before and after the pieces. No branch looks further.
const GAP: usize = 2;

/// The number of components of a piece after the branches: its row, and the branches' results.
const FEATURES: usize = DIMENSIONS + WIDTH;

/// The number of components of a piece in all branches.
const WIDTH: usize = BRANCHES.len() * BRANCH;

/// The width of the first two dense layers.
const HIDDEN: usize = 320;

/// The inputs and outputs of the last layers: four in a row, and two past the first and the third.
const DENSE: [[usize; 2]; 6] = [
    [DIMENSIONS, HIDDEN],
    [HIDDEN, HIDDEN],
    [HIDDEN, DIMENSIONS],
    [DIMENSIONS, DIMENSIONS],
    [DIMENSIONS, HIDDEN],
    [HIDDEN, DIMENSIONS],
];

/// The table is stored in blocks, each with its own scale. The row of a piece is in the block
/// `id % BLOCKS`, at `id / BLOCKS`.
const BLOCKS: usize = 17;
const ROWS_OF_BLOCK: usize = 7530;

const EPSILON: f32 = 1e-12;

pub(crate) struct Network {
    gemm: GemmExecutor,
    /// The scale and the least value of each block of the table.
    blocks: Vec<[f32; 2]>,
    projection: Layer,
    projection_norm: Norm,
    branches: Vec<[Layer; 2]>,
    norm: Norm,
    sum: Layer,
    /// The bias that is added to a text's sum for each of its pieces.
    sum_bias: Vec<f32>,
    dense: [Layer; 6],
    /// The file. It ends with the rows of the table.
    rows: Rest,
}

/// A matrix, and what is added to each row after the multiplication, if anything.
struct Layer {
    matrix: PackedBMatrix<f32>,
    bias: Vec<f32>,
}

/// Brings each row to mean 0 and variance 1, then scales and shifts its components.
struct Norm {
    gain: Vec<f32>,
    bias: Vec<f32>,
}

impl Network {
    pub(crate) fn read(mut packed: Packed) -> Result<Self, LoadError> {
        let file = &mut packed;
        let gemm = GemmExecutor::new();
        let blocks = file.floats(2 * BLOCKS)?.as_chunks().0.to_vec();
        let mut layer = |shape, biases| Layer::read(file, &gemm, shape, biases);
        let projection = layer([DIMENSIONS, WIDTH], WIDTH)?;
        let mut branches = Vec::new();
        for (neighbours, _) in BRANCHES {
            let shape = [neighbours * BRANCH, BRANCH];
            branches.push([layer(shape, BRANCH)?, layer(shape, BRANCH)?]);
        }
        let sum = layer([FEATURES, DIMENSIONS], 0)?;
        let mut dense = Vec::new();
        for shape in DENSE {
            dense.push(layer(shape, 0)?);
        }
        Ok(Self {
            blocks,
            projection,
            branches,
            sum,
            dense: dense.try_into().map_err(|_| LoadError::Damaged)?,
            sum_bias: file.floats(DIMENSIONS)?,
            projection_norm: Norm::read(file, WIDTH)?,
            norm: Norm::read(file, FEATURES)?,
            rows: packed.rest(BLOCKS * ROWS_OF_BLOCK * DIMENSIONS)?,
            gemm,
        })
    }

    /// Returns the vector of a text, given the ids of its pieces.
    pub(crate) fn vector(&self, ids: &[u32]) -> Vector {
        let mut features = vec![0.0; ids.len() * FEATURES];
        for (id, features) in ids.iter().zip(features.chunks_exact_mut(FEATURES)) {
            self.look_up(*id as usize, features);
        }
        let mut projected = self.multiply(&self.projection, &features, FEATURES);
        self.projection_norm.apply(&mut projected);
        for (at, ((_, left), layers)) in BRANCHES.into_iter().zip(&self.branches).enumerate() {
            let mut own = vec![0.0; GAP * BRANCH];
            for row in projected.chunks_exact(WIDTH) {
                own.extend(row.iter().skip(at * BRANCH).take(BRANCH));
            }
            own.extend([0.0; GAP * BRANCH]);
            for layer in layers {
                let seen = own.get((GAP - left) * BRANCH..).unwrap_or_default();
                let heard = relu(self.multiply(layer, seen, BRANCH));
                let places = GAP * BRANCH..(GAP + ids.len()) * BRANCH;
                add(own.get_mut(places).unwrap_or_default(), &heard);
            }
            let features = features.chunks_exact_mut(FEATURES);
            for (features, own) in features.zip(own.chunks_exact(BRANCH).skip(GAP)) {
                let features = features.get_mut(DIMENSIONS + at * BRANCH..);
                add(features.unwrap_or_default(), own);
            }
        }
        self.norm.apply(&mut features);
        let mut sum = vec![0.0; FEATURES];
        for features in features.chunks_exact(FEATURES) {
            add(&mut sum, features);
        }
        let mut mean = self.multiply(&self.sum, &sum, FEATURES);
        let length = ids.len() as f32;
        for (part, bias) in mean.iter_mut().zip(&self.sum_bias) {
            *part = (*part + length * bias) / length.sqrt();
        }
        self.finish(&mean)
    }

    /// Writes the piece's row of the table to the beginning of `features`.
    fn look_up(&self, id: usize, features: &mut [f32]) {
        let (block, place) = (id % BLOCKS, id / BLOCKS);
        let from = (block * ROWS_OF_BLOCK + place) * DIMENSIONS;
        let row = self.rows.bytes().get(from..from + DIMENSIONS);
        if let (Some(row), Some([scale, least])) = (row, self.blocks.get(block)) {
            for (feature, byte) in features.iter_mut().zip(row) {
                *feature = f32::from(*byte) * scale + least;
            }
        }
    }

    /// Applies the last layers to the mean of a text's pieces.
    fn finish(&self, mean: &[f32]) -> Vector {
        let [first, second, third, fourth, past_first, past_third] = &self.dense;
        let multiply = |layer, numbers: &[f32]| self.multiply(layer, numbers, numbers.len());
        let one = relu(multiply(first, mean));
        let mut two = multiply(past_first, mean);
        add(&mut two, &multiply(second, &one));
        let two = relu(two);
        let three = relu(multiply(third, &two));
        let mut four = multiply(past_third, &two);
        add(&mut four, &multiply(fourth, &three));
        let parts: Vec<f32> = four.into_iter().map(libm::tanhf).collect();
        let length = dot(&parts, &parts).max(EPSILON).sqrt();
        Vector(parts.into_iter().map(|part| part / length).collect())
    }

    /// Multiplies rows by the layer's matrix. The rows begin `distance` numbers apart, and overlap
    /// if the matrix has more rows than that.
    fn multiply(&self, layer: &Layer, numbers: &[f32], distance: usize) -> Vec<f32> {
        let [inputs, outputs] = [layer.matrix.rows(), layer.matrix.cols()];
        let rows = numbers
            .len()
            .checked_sub(inputs)
            .map_or(0, |rest| rest / distance + 1);
        let mut product = vec![0.0; rows * outputs];
        let bias = Some(BiasVector::Row(&layer.bias)).filter(|_| !layer.bias.is_empty());
        let options = GemmOptions {
            bias,
            ..GemmOptions::default()
        };
        if let Ok(rows) = Matrix::from_slice_with_strides([rows, inputs], numbers, [distance, 1]) {
            let matrix = GemmInputB::Packed(&layer.matrix);
            let done = self
                .gemm
                .gemm(&mut product, GemmInputA::Unpacked(rows), matrix, options);
            debug_assert!(done.is_ok(), "{done:?}");
        }
        product
    }
}

impl Layer {
    fn read(
        packed: &mut Packed,
        gemm: &GemmExecutor,
        [inputs, outputs]: [usize; 2],
        biases: usize,
    ) -> Result<Self, LoadError> {
        let numbers = packed.floats(inputs * outputs)?;
        let bias = packed.floats(biases)?;
        let matrix = Matrix::from_data([inputs, outputs], numbers.as_slice());
        Ok(Self {
            matrix: gemm.prepack_b(matrix),
            bias,
        })
    }
}

impl Norm {
    fn read(packed: &mut Packed, width: usize) -> Result<Self, LoadError> {
        Ok(Self {
            gain: packed.floats(width)?,
            bias: packed.floats(width)?,
        })
    }

    fn apply(&self, rows: &mut [f32]) {
        let width = self.gain.len();
        for row in rows.chunks_exact_mut(width) {
            let mean = sum(row.iter().copied()) / width as f32;
            for part in row.iter_mut() {
                *part -= mean;
            }
            let variance = sum(row.iter().map(|part| part * part)) / width as f32;
            let scale = 1.0 / (variance + EPSILON).sqrt();
            for ((part, gain), bias) in row.iter_mut().zip(&self.gain).zip(&self.bias) {
                *part = *part * scale * gain + bias;
            }
        }
    }
}

fn relu(mut parts: Vec<f32>) -> Vec<f32> {
    for part in &mut parts {
        *part = part.max(0.0);
    }
    parts
}

fn add(sums: &mut [f32], parts: &[f32]) {
    for (sum, part) in sums.iter_mut().zip(parts) {
        *sum += part;
    }
}
