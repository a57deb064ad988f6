//! The network: from the ids of pieces to the vector of their text.
//!
//! Each piece has a row in a table. Three branches look at 2, 3 and 5 neighbouring pieces, and
//! twice add to a piece what its neighbours say. The sum over all pieces passes through four dense
//! layers.

use super::packed::{LoadError, Packed};
use super::{Vector, dot, sum};
use rten_gemm::{BiasVector, GemmExecutor, GemmInputA, GemmInputB, GemmOptions, PackedBMatrix};
use rten_tensor::Matrix;

/// The number of components of a [`Vector`].
pub const DIMENSIONS: usize = 512;

/// The number of components that a branch gives each piece.
const BRANCH: usize = 256;

/// For each branch: the number of neighbouring pieces, and how many of them are to the left.
const BRANCHES: [(usize, usize); 3] = [(2, 0), (3, 1), (5, 2)];

/// The number of rows of zeros before, between and after texts. No branch looks further.
const GAP: usize = 2;

/// The number of components of a piece after the branches: its row, and the branches' results.
const FEATURES: usize = DIMENSIONS + BRANCHES.len() * BRANCH;

/// The width of the dense layers.
const HIDDEN: usize = 320;

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
    /// The last layers: four in a row, and two whose results are added to the second's and to the
    /// fourth's.
    dense: [Layer; 6],
    /// The bytes of the file. From `table_at` on, they are the table's rows.
    bytes: Vec<u8>,
    table_at: usize,
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
        let gemm = GemmExecutor::new();
        let blocks = packed.floats(2 * BLOCKS)?.as_chunks().0.to_vec();
        let mut layer = |shape, biases| Layer::read(&mut packed, &gemm, shape, biases);
        let width = BRANCHES.len() * BRANCH;
        let projection = layer([DIMENSIONS, width], width)?;
        let mut branches = Vec::new();
        for (neighbours, _) in BRANCHES {
            let shape = [neighbours * BRANCH, BRANCH];
            branches.push([layer(shape, BRANCH)?, layer(shape, BRANCH)?]);
        }
        let sum = layer([FEATURES, DIMENSIONS], 0)?;
        let dense = [
            layer([DIMENSIONS, HIDDEN], 0)?,
            layer([HIDDEN, HIDDEN], 0)?,
            layer([HIDDEN, DIMENSIONS], 0)?,
            layer([DIMENSIONS, DIMENSIONS], 0)?,
            layer([DIMENSIONS, HIDDEN], 0)?,
            layer([HIDDEN, DIMENSIONS], 0)?,
        ];
        let sum_bias = packed.floats(DIMENSIONS)?;
        let projection_norm = Norm::read(&mut packed, width)?;
        let norm = Norm::read(&mut packed, FEATURES)?;
        let (bytes, table_at) = packed.rest(BLOCKS * ROWS_OF_BLOCK * DIMENSIONS)?;
        Ok(Self {
            gemm,
            blocks,
            projection,
            projection_norm,
            branches,
            norm,
            sum,
            sum_bias,
            dense,
            bytes,
            table_at,
        })
    }

    /// Returns the vector of each text. A text is the ids of its pieces.
    pub(crate) fn vectors(&self, texts: &[Vec<u32>]) -> Vec<Vector> {
        let gap = [None; GAP];
        let mut rows = gap.to_vec();
        for text in texts {
            rows.extend(text.iter().copied().map(Some));
            rows.extend(gap);
        }
        let mut features = vec![0.0; rows.len() * FEATURES];
        for (id, features) in rows.iter().zip(features.chunks_exact_mut(FEATURES)) {
            self.look_up(*id, features);
        }
        let mut projected = self.multiply(&self.projection, &features, FEATURES);
        self.projection_norm.apply(&mut projected);
        let width = BRANCHES.len() * BRANCH;
        for (at, ((_, left), layers)) in BRANCHES.into_iter().zip(&self.branches).enumerate() {
            let mut own = Vec::with_capacity(rows.len() * BRANCH);
            for (id, row) in rows.iter().zip(projected.chunks_exact(width)) {
                let row = row.iter().skip(at * BRANCH).take(BRANCH);
                own.extend(row.map(|part| if id.is_some() { *part } else { 0.0 }));
            }
            for layer in layers {
                let seen = own.get((GAP - left) * BRANCH..).unwrap_or_default();
                let heard = self.multiply(layer, seen, BRANCH);
                let of_rows = own.chunks_exact_mut(BRANCH).zip(&rows).skip(GAP);
                for ((own, id), heard) in of_rows.zip(heard.chunks_exact(BRANCH)) {
                    if id.is_some() {
                        add(own, heard.iter().map(|part| part.max(0.0)));
                    }
                }
            }
            let features = features.chunks_exact_mut(FEATURES);
            for (features, own) in features.zip(own.chunks_exact(BRANCH)) {
                add(
                    features
                        .get_mut(DIMENSIONS + at * BRANCH..)
                        .unwrap_or_default(),
                    own.iter().copied(),
                );
            }
        }
        self.norm.apply(&mut features);
        self.finish(texts, &features)
    }

    /// Writes the piece's row of the table to the beginning of `features`.
    fn look_up(&self, id: Option<u32>, features: &mut [f32]) {
        let Some(id) = id.map(|id| id as usize) else {
            return;
        };
        let (block, place) = (id % BLOCKS, id / BLOCKS);
        let from = self.table_at + (block * ROWS_OF_BLOCK + place) * DIMENSIONS;
        let row = self.bytes.get(from..from + DIMENSIONS);
        if let (Some(row), Some([scale, least])) = (row, self.blocks.get(block)) {
            for (feature, byte) in features.iter_mut().zip(row) {
                *feature = f32::from(*byte) * scale + least;
            }
        }
    }

    /// Adds up the pieces of each text, and applies the last layers.
    fn finish(&self, texts: &[Vec<u32>], features: &[f32]) -> Vec<Vector> {
        let mut sums = vec![0.0; texts.len() * FEATURES];
        let mut rows = features.chunks_exact(FEATURES);
        for (sum, text) in sums.chunks_exact_mut(FEATURES).zip(texts) {
            for row in rows.by_ref().skip(GAP).take(text.len()) {
                add(sum, row.iter().copied());
            }
        }
        let mut mean = self.multiply(&self.sum, &sums, FEATURES);
        for (mean, text) in mean.chunks_exact_mut(DIMENSIONS).zip(texts) {
            let length = text.len() as f32;
            for (part, bias) in mean.iter_mut().zip(&self.sum_bias) {
                *part = (*part + length * bias) / length.sqrt();
            }
        }
        let [first, second, third, fourth, past_first, past_third] = &self.dense;
        let relu = |mut parts: Vec<f32>| {
            for part in &mut parts {
                *part = part.max(0.0);
            }
            parts
        };
        let both = |mut some: Vec<f32>, others: Vec<f32>| {
            add(&mut some, others.into_iter());
            some
        };
        let one = relu(self.multiply(first, &mean, DIMENSIONS));
        let two = relu(both(
            self.multiply(past_first, &mean, DIMENSIONS),
            self.multiply(second, &one, HIDDEN),
        ));
        let three = relu(self.multiply(third, &two, HIDDEN));
        let four = both(
            self.multiply(past_third, &two, HIDDEN),
            self.multiply(fourth, &three, DIMENSIONS),
        );
        four.chunks_exact(DIMENSIONS).map(unit).collect()
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
            add(row, std::iter::repeat(-mean));
            let variance = sum(row.iter().map(|part| part * part)) / width as f32;
            let scale = 1.0 / (variance + EPSILON).sqrt();
            for ((part, gain), bias) in row.iter_mut().zip(&self.gain).zip(&self.bias) {
                *part = *part * scale * gain + bias;
            }
        }
    }
}

fn unit(row: &[f32]) -> Vector {
    let row: Vec<f32> = row.iter().map(|part| libm::tanhf(*part)).collect();
    let length = dot(&row, &row).max(EPSILON).sqrt();
    Vector(row.into_iter().map(|part| part / length).collect())
}

fn add(sums: &mut [f32], parts: impl Iterator<Item = f32>) {
    for (sum, part) in sums.iter_mut().zip(parts) {
        *sum += part;
    }
}
